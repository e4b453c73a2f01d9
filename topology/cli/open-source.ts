// What `--source` names, made ready: the source, what cards say of it, and what a person is told.
import { join, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Log } from '../ports/log.ts'
import { CATCH_UP_S, DEMO_DEFAULTS, HISTORY_S } from '../sources/demo/defaults.ts'
import { NO_LOSSES } from '../sources/demo/losses.ts'
import { Market, RATE_MAX } from '../sources/demo/market.ts'
import { DemoSource } from '../sources/demo/source.ts'
import { openTruthFile } from '../sources/demo/truth-file.ts'
import { RecordingSource, type Speed } from '../sources/recording.ts'
import { readRecording } from '../sources/recording-file.ts'
import type { Source } from '../sources/source.ts'
import { UsageError } from './command.ts'
import { shorten } from './play.ts'

const PREFIX = 'recording:'
const DEMO = 'demo'
/** The demo's truth, beside its data. */
const TRUTH_FILE = 'demo-truth.jsonl'

/** What the command line asks for. `speed` is 1 for the demo and max for a recording unless given. */
export interface SourceOptions {
  readonly source: string
  readonly speed?: Speed
  readonly seed?: number
  /** Unix milliseconds at which the demo's paced part begins. */
  readonly start?: number
  readonly rate?: number
}

/** What a source stands on. */
export interface Ground {
  /** Null where nothing may be kept beside the frames. */
  readonly dataDir: string | null
  readonly stop: AbortSignal
  /** Slot that every fold has seen; null before the first. */
  readonly folded: () => number | null
}

/** A source of a log, ready to be prepared and run. */
export interface OpenSource {
  readonly source: Source
  /** `meta.source` of every answer. */
  readonly facts: string
  /** For people: what is played. */
  readonly words: string
}

const inRange = (text: string, min: number, max: number, what: string): number => {
  const value = Number(text)
  if (!(text.trim() !== '' && value >= min && value <= max)) throw new InvalidArgumentError(what)
  return value
}

/** Parses `--speed`. */
export const speedOf = (text: string): Speed => (text === 'max' ? text : inRange(text, 0.001, 1_000_000, 'a number above 0, or max'))
/** Parses `--rate`: 1 is a tenth of today's load. */
export const rateOf = (text: string): number => inRange(text, 0.01, RATE_MAX, `a number from 0.01 to ${RATE_MAX}; 10 is the load of today`)
/** Parses `--seed`. */
export const seedOf = (text: string): number => {
  const seed = inRange(text, 0, 0xffff_ffff, 'a whole number from 0 to 4294967295')
  if (!Number.isInteger(seed)) throw new InvalidArgumentError('a whole number from 0 to 4294967295')
  return seed
}
/** Parses `--start`: unix seconds or an ISO date, to milliseconds. */
export const startOf = (text: string): number => {
  const ms = /^\d{9,10}$/.test(text) ? Number(text) * 1_000 : Date.parse(text)
  if (Number.isNaN(ms) || ms < Date.UTC(2025, 0, 1) || ms > Date.UTC(2100, 0, 1))
    throw new InvalidArgumentError('unix seconds or a date such as 2026-10-15T12:00:00Z, from 2025 on')
  return ms
}

/** Checks the options before anything is opened. @throws UsageError */
export const checkSource = ({ source, seed, start, rate }: SourceOptions): void => {
  if (source === DEMO) return
  if (!source.startsWith(PREFIX) || source.length === PREFIX.length)
    throw new UsageError(`--source ${source} is not played by this version: give demo or recording:PATH (mintfold import makes recordings)`)
  if (seed !== undefined || start !== undefined || rate !== undefined)
    throw new UsageError('--seed, --start and --rate are options of --source demo; a recording is played as it is')
}

/** Opens the source on the log. @throws EngineError as `Source.open` and for a file that is no recording. */
export const openSource = (log: Log, options: SourceOptions, ground: Ground): Promise<OpenSource> =>
  options.source === DEMO ? openDemo(log, options, ground) : openRecording(log, options, ground)

const openDemo = async (
  log: Log,
  { seed, start, rate, speed = 1 }: SourceOptions,
  { dataDir, stop, folded }: Ground,
): Promise<OpenSource> => {
  const startMs = start === undefined ? DEMO_DEFAULTS.startMs : start - (HISTORY_S + CATCH_UP_S) * 1_000
  const options = { seed: seed ?? DEMO_DEFAULTS.seed, startMs, rate: rate ?? DEMO_DEFAULTS.rate }
  const truth = dataDir === null ? () => {} : openTruthFile(join(dataDir, TRUTH_FILE))
  const market = (): Market => new Market(options, { onTruth: truth })
  const source = new DemoSource(log, {
    ...options,
    market,
    historyS: HISTORY_S,
    catchUpS: CATCH_UP_S,
    losses: NO_LOSSES,
    speed,
    wall: Date.now,
    stop,
    folded,
  })
  await source.open()
  const since = new Date(startMs).toISOString().slice(0, 16).replace('T', ' ')
  const words = `the demo market (seed ${options.seed}, ${options.rate * 10} % of today's load, history since ${since} UTC) ${paceWords(speed)}`
  return { source, facts: `demo: a simulated market, seed ${options.seed}`, words }
}

const openRecording = async (log: Log, { source: text, speed = 'max' }: SourceOptions, { stop }: Ground): Promise<OpenSource> => {
  const path = resolve(text.slice(PREFIX.length))
  const source = new RecordingSource(log, { path, speed, wall: Date.now, stop })
  await source.open()
  return { source, facts: await factsOf(path), words: `${shorten(path)} ${paceWords(speed)}` }
}

const paceWords = (speed: Speed): string => (speed === 'max' ? 'at full speed' : `at ${speed}x`)

/** What the events come from, and whose word stands for their being complete. */
const factsOf = async (path: string): Promise<string> => {
  const name = `recording ${path.split('/').at(-1)}`
  for await (const frame of readRecording(path))
    return frame.vouched ? `${name}; its importer vouched that it holds everything about its mints` : name
  return name
}
