// The options of sources: help texts, bounds, and which apply to which source.
import { type Command, InvalidArgumentError } from 'commander'
import { DEMO_BOUNDS } from '../../launch-risk.ts'
import type { Speed } from '../../sources/recording/recording.ts'
import type { DemoPlay, Stretch } from '../../sources/source.ts'
import { UsageError } from '../command.ts'
import { chainWords, DEMO, LIVE, LOG, type SourceKind, sourceName } from './source-name.ts'

const { FORKS_PER_HOUR, RATE_MAX } = DEMO_BOUNDS
const SPEED_MIN = 0.001
const SPEED_MAX = 1_000_000
const RATE_MIN = 0.01
const SEED_MAX = 0xffff_ffff
/** Writing a month takes about six minutes. */
const HISTORY_HOURS_MAX = 720
/** Bound for seconds before and after the start of the paced part: a year. */
const MOMENT_S_MAX = 366 * 24 * 3_600
const GAPS_MAX = 100
const FORKS_MAX = 3_600
const MILLION = 1_000_000
const FRAMES_MAX = 1_000_000_000

/** The source options of a command line. `speed` defaults to max for a recording. */
export interface SourceOptions extends DemoPlay {
  readonly source: string
}

/** Options for when a command that plays a source ends. */
export interface EndOptions {
  readonly exit?: boolean
}

/** Options of the demo, by their names on the command line. */
const OF_DEMO = {
  seed: '--seed',
  start: '--start',
  rate: '--rate',
  history: '--history',
  gap: '--gap',
  lostPerMillion: '--lost-per-million',
  forks: '--forks',
  regimeAfter: '--regime-after',
} as const satisfies Partial<Record<keyof SourceOptions, string>>

const inRange = (text: string, min: number, max: number, what: string): number => {
  const value = Number(text)
  if (!(text.trim() !== '' && value >= min && value <= max)) throw new InvalidArgumentError(what)
  return value
}
const wholeIn = (text: string, min: number, max: number): number => {
  const what = `a whole number from ${min} to ${max}`
  const value = inRange(text, min, max, what)
  if (!Number.isInteger(value)) throw new InvalidArgumentError(what)
  return value
}

const speedOf = (text: string): Speed =>
  text === 'max' ? text : inRange(text, SPEED_MIN, SPEED_MAX, `a number from ${SPEED_MIN} to ${SPEED_MAX}, or max`)
const rateOf = (text: string): number =>
  inRange(text, RATE_MIN, RATE_MAX, `a number from ${RATE_MIN} to ${RATE_MAX}; 10 is the load of today`)
const seedOf = (text: string): number => wholeIn(text, 0, SEED_MAX)
const historyOf = (text: string): number => inRange(text, 0, HISTORY_HOURS_MAX, `a number of hours from 0 to ${HISTORY_HOURS_MAX}`)
const lostOf = (text: string): number => wholeIn(text, 0, MILLION)
const forksOf = (text: string): number => inRange(text, 0, FORKS_MAX, `a number of forks an hour from 0 to ${FORKS_MAX}`)
/** Parses a number of frames. */
export const framesOf = (text: string): number => wholeIn(text, 1, FRAMES_MAX)
const momentOf = (text: string): number => wholeIn(text, -MOMENT_S_MAX, MOMENT_S_MAX)
/** Unix seconds or an ISO date, to milliseconds. */
const startOf = (text: string): number => {
  const ms = /^\d{9,10}$/.test(text) ? Number(text) * 1_000 : Date.parse(text)
  if (Number.isNaN(ms) || ms < Date.UTC(2025, 0, 1) || ms > Date.UTC(2100, 0, 1))
    throw new InvalidArgumentError('unix seconds or a date such as 2026-10-15T12:00:00Z, from 2025 to 2100')
  return ms
}
/** Parses and appends one `FROM..TO`. */
const gapsOf = (text: string, before: readonly Stretch[] = []): readonly Stretch[] => {
  const [, from, to] = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(text) ?? []
  if (from === undefined || to === undefined) throw new InvalidArgumentError('FROM..TO in whole seconds, such as 60..90')
  const stretch = { fromS: momentOf(from), toS: momentOf(to) }
  if (stretch.fromS >= stretch.toS)
    throw new InvalidArgumentError('a gap must end after its start: FROM..TO in whole seconds, such as 60..90')
  if (before.length >= GAPS_MAX) throw new InvalidArgumentError(`at most ${GAPS_MAX} gaps`)
  return [...before, stretch]
}

/** `verb`: what the command does with the source, such as `play`. `more`: sources that only this command accepts. */
interface SourceTexts {
  readonly verb: string
  readonly historyHours: number
  /** Default of `--start`, as text; absent: now. */
  readonly startDefault?: string
  readonly more?: readonly string[]
}
const START_NOW = 'now, on the wall clock; a log that has a demo continues it'

/** Adds the source options. */
export const addSourceOptions = (command: Command, { verb, historyHours, startDefault = START_NOW, more = [] }: SourceTexts): Command =>
  command
    .option('--source <source>', `what to ${verb}: ${namesOf(more)}; with :${chainWords.replace(' or ', ' or :')} only that chain`, DEMO)
    .option(
      '--speed <n>',
      'stream seconds per second, or max (default: 1 for the demo, max for a recording); a demo at another speed leaves the wall clock',
      speedOf,
    )
    .option('--seed <n>', 'demo: the same seed and start give the same market (default: 1)', seedOf)
    .option(
      '--start <time>',
      `demo: time at which its paced part begins, unix seconds or an ISO date: it then has its own clock (default: ${startDefault})`,
      startOf,
    )
    .option('--rate <n>', 'demo: load, where 10 is the load of today (default: 1)', rateOf)
    .option(
      '--history <hours>',
      `demo: hours of history written straight to the tape before the first frame (default: ${historyHours})`,
      historyOf,
    )
    .option('--gap <from..to>', 'demo: drops all slots of these seconds, counted from the start of the paced part; repeatable', gapsOf)
    .option('--lost-per-million <n>', 'demo: drops n of a million launchpad transactions from their frames (default: 0)', lostOf)
    .option('--forks <n>', `demo: forks per hour, in which some of the newest slots are replaced (default: ${FORKS_PER_HOUR})`, forksOf)
    .option(
      '--regime-after <seconds>',
      'demo: switches to another mix of launches at this second, counted as for --gap (default: never)',
      momentOf,
    )

/** Adds `--frames` and `--exit` to a command that plays a source. */
export const addEndOptions = (command: Command): Command =>
  command
    .option('--frames <n>', 'end the source after n frames, counting earlier starts but not the history (default: never)', framesOf)
    .option('--exit', 'stop once the source has ended and everything it sent is processed')

const namesOf = (more: readonly string[]): string => `${[DEMO, LIVE, ...more].join(', ')} or recording:PATH`

/** Why demo options and speed cannot be used with these sources. */
const ITS_OWN: Partial<Record<SourceKind, string>> = { [LIVE]: 'the live chain cannot be changed', [LOG]: 'the log cannot be changed' }

/** Checks for conflicting options before anything is opened; `more`: sources that only this command accepts. @throws UsageError */
export const checkSource = (options: SourceOptions, more: readonly string[] = []): void => {
  const { source } = options
  const name = sourceName(source)
  if (name === undefined || (name.kind === LOG && !more.includes(LOG)))
    throw new UsageError(
      `--source ${source} is not supported: use ${namesOf(more)}, the first two also with :CHAIN (${chainWords}); ` +
        'mintfold import makes recordings; node URLs are settings',
    )
  if (name.kind === DEMO) return
  const itsOwn = ITS_OWN[name.kind]
  if (itsOwn !== undefined && options.speed !== undefined) throw new UsageError(`--speed cannot be used with --source ${source}: ${itsOwn}`)
  const given = (Object.keys(OF_DEMO) as (keyof typeof OF_DEMO)[]).filter((key) => options[key] !== undefined)
  if (given.length === 0) return
  const words = given.map((key) => OF_DEMO[key]).join(', ')
  const instead = itsOwn ?? 'a recording is played unchanged'
  throw new UsageError(`${words} can only be used with --source demo: ${instead}`)
}
