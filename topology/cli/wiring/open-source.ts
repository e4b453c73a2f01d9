// What `--source` names, made ready: the source, what cards say of it, and what a person is told.
import { join, resolve } from 'node:path'
import { LAUNCH_RISK, SOURCES } from '../../launch-risk.ts'
import type { SourceLog } from '../../ports/log.ts'
import type { LiveSettings } from '../../sources/live-settings.ts'
import { RecordingSource, type Speed } from '../../sources/recording/recording.ts'
import { readRecording } from '../../sources/recording/recording-file.ts'
import type { Ground, OpenSource } from '../../sources/source.ts'
import { UsageError } from '../command.ts'
import { DEMO, LIVE, RECORDING, type SourceOptions } from '../settings/source-options.ts'
import { shorten } from '../start/play.ts'

const { CATCH_UP_S, DEMO_DEFAULTS, FORKS_PER_HOUR, HISTORY_S, PACED_FROM_MS } = SOURCES.demoDefaults
const HOUR_S = 3_600
/** The demo's truth, beside its data. */
const TRUTH_FILE = 'demo-truth.jsonl'

/** With the nodes of the live chain, absent where nobody can ask for it, and whether its frames wait for their checks. */
export type NamedGround = Ground & { readonly live?: LiveSettings; readonly waitsForChecks?: boolean }

/**
 * Opens the source on the log: takes the raw topic over. @throws EngineError `data_dir_source` when the log holds frames of another source,
 * and for a file that is no recording.
 */
export const openSource = (log: SourceLog, options: SourceOptions, ground: NamedGround): Promise<OpenSource> =>
  options.source === DEMO
    ? openDemo(log, options, ground)
    : options.source === LIVE
      ? openChain(log, options, ground)
      : openRecording(log, options, ground)

const openChain = async (
  log: SourceLog,
  { frames }: SourceOptions,
  { live: settings, notice = () => {}, stop, waitsForChecks = false }: NamedGround,
): Promise<OpenSource> => {
  if (settings === undefined) throw new UsageError('--source live is not for this command')
  const { openLive } = await SOURCES.live()
  return openLive(log, LAUNCH_RISK.sources.live, {
    settings,
    notice,
    stop,
    waitsForChecks,
    ...(frames === undefined ? {} : { framesMax: frames }),
  })
}

const openDemo = async (log: SourceLog, options: SourceOptions, { dataDir, stop, folded }: NamedGround): Promise<OpenSource> => {
  const { Market, DemoSource, openTruthFile } = await SOURCES.demo()
  const { seed = DEMO_DEFAULTS.seed, rate = DEMO_DEFAULTS.rate, speed = 1, start = PACED_FROM_MS, gap = [], regimeAfter } = options
  const { catchUp: catchUpS = CATCH_UP_S } = options
  const historyS = Math.round((options.history ?? HISTORY_S / HOUR_S) * HOUR_S)
  const leadS = historyS + catchUpS
  const startMs = start - leadS * 1_000
  const regime = regimeAfter === undefined ? {} : { regimeAfterMs: (leadS + regimeAfter) * 1_000 }
  const losses = {
    gaps: gap.map(({ fromS, toS }) => ({ fromS: leadS + fromS, toS: leadS + toS })),
    lostPerMillion: options.lostPerMillion ?? 0,
  }
  const truth = dataDir === null ? () => {} : openTruthFile(join(dataDir, TRUTH_FILE))
  const source = new DemoSource(log, LAUNCH_RISK.sources.demo, {
    seed,
    startMs,
    rate,
    historyS,
    ...regime,
    market: () => new Market({ seed, startMs, rate }, { onTruth: truth, ...regime }),
    ...(options.frames !== undefined && { framesMax: options.frames }),
    forksPerHour: options.forks ?? FORKS_PER_HOUR,
    catchUpS,
    losses,
    speed,
    wall: Date.now,
    stop,
    folded,
  })
  await source.open()
  const since = new Date(startMs).toISOString().slice(0, 16).replace('T', ' ')
  const words = `the demo market (seed ${seed}, ${rate * 10} % of today's load, ${historyS > 0 ? 'history ' : ''}since ${since} UTC) ${paceWords(speed)}`
  const facts = `demo: a simulated market on a clock of its own (since ${since} UTC), seed ${seed}`
  return { source, facts, words, accounts: source.accounts }
}

const openRecording = async (
  log: SourceLog,
  { source: text, speed = 'max', frames }: SourceOptions,
  { stop }: NamedGround,
): Promise<OpenSource> => {
  const path = resolve(text.slice(RECORDING.length))
  const framesMax = frames === undefined ? {} : { framesMax: frames }
  const source = new RecordingSource(log, LAUNCH_RISK.sources.recording.writes.raw, {
    ...{ chain: LAUNCH_RISK.chain.name, path, speed },
    ...framesMax,
    ...{ wall: Date.now, stop },
  })
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
