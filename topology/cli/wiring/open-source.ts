// What `--source` names, made ready: the source, what cards say of it, and what a person is told.
import { resolve } from 'node:path'
import { LAUNCH_RISK, SOURCES } from '../../launch-risk.ts'
import type { SourceLog } from '../../ports/log.ts'
import type { LiveSettings } from '../../sources/live-settings.ts'
import { paceWords, RecordingSource } from '../../sources/recording/recording.ts'
import { readRecording } from '../../sources/recording/recording-file.ts'
import type { Ground, OpenSource } from '../../sources/source.ts'
import { UsageError } from '../command.ts'
import { DEMO, LIVE, RECORDING, type SourceOptions } from '../settings/source-options.ts'
import { shorten } from '../start/play.ts'

/** With the nodes of the live chain, absent where nobody can ask for it, and whether its frames wait for their checks. */
export type NamedGround = Ground & { readonly live?: LiveSettings; readonly waitsForChecks?: boolean }

/**
 * Opens the source on the log: takes the raw topic over. @throws EngineError `data_dir_source` when the log holds frames of another source,
 * and for a file that is no recording.
 */
export const openSource = (log: SourceLog, options: SourceOptions, ground: NamedGround): Promise<OpenSource> =>
  options.source === DEMO
    ? SOURCES.demo(log, options, ground)
    : options.source === LIVE
      ? openChain(log, options, ground)
      : openRecording(log, options, ground)

const openChain = (
  log: SourceLog,
  { frames }: SourceOptions,
  { live: settings, notice = () => {}, stop, waitsForChecks = false }: NamedGround,
): Promise<OpenSource> => {
  if (settings === undefined) throw new UsageError('--source live is not for this command')
  return SOURCES.live(log, { settings, notice, stop, waitsForChecks, ...(frames === undefined ? {} : { framesMax: frames }) })
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

/** What the events come from, and whose word stands for their being complete. */
const factsOf = async (path: string): Promise<string> => {
  const name = `recording ${path.split('/').at(-1)}`
  for await (const frame of readRecording(path))
    return frame.vouched ? `${name}; its importer vouched that it holds everything about its mints` : name
  return name
}
