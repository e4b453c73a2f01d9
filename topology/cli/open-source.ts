// What `--source` names, made ready: the source, what cards say of it, and what a person is told.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidArgumentError } from 'commander'
import type { Log } from '../ports/log.ts'
import { RecordingSource, type Speed } from '../sources/recording.ts'
import { readRecording } from '../sources/recording-file.ts'
import type { Source } from '../sources/source.ts'
import { UsageError } from './command.ts'
import { shorten } from './play.ts'

const PREFIX = 'recording:'
/** Recorded launches, shipped with the package. */
export const SHIPPED_RECORDING = `${PREFIX}${fileURLToPath(new URL('../../test/recordings/launches.avro', import.meta.url))}`

/** What the command line asks for. */
export interface SourceOptions {
  readonly source: string
  readonly speed: Speed
}

/** A source of a log, ready to run. */
export interface OpenSource {
  readonly source: Source
  /** `meta.source` of every answer. */
  readonly facts: string
  /** For people: what is played. */
  readonly words: string
}

/** Parses `--speed`. */
export const speedOf = (text: string): Speed => {
  if (text === 'max') return text
  const value = Number(text)
  if (!(value > 0 && value <= 1_000_000)) throw new InvalidArgumentError('a number above 0, or max')
  return value
}

/** Checks `--source` before anything is opened. @throws UsageError */
export const checkSource = ({ source }: SourceOptions): void => {
  if (source.startsWith(PREFIX) && source.length > PREFIX.length) return
  throw new UsageError(`--source ${source} is not played by this version: give recording:PATH (mintfold import makes recordings)`)
}

/** Opens the source on the log. @throws EngineError as `Source.open` and for a file that is no recording. */
export const openSource = async (log: Log, { source: text, speed }: SourceOptions, stop: AbortSignal): Promise<OpenSource> => {
  const path = resolve(text.slice(PREFIX.length))
  const source = new RecordingSource(log, { path, speed, wall: Date.now, stop })
  await source.open()
  const pace = speed === 'max' ? 'at full speed' : `at ${speed}x`
  return { source, facts: await factsOf(path), words: `${shorten(path)} ${pace}` }
}

/** What the events come from, and whose word stands for their being complete. */
const factsOf = async (path: string): Promise<string> => {
  const name = `recording ${path.split('/').at(-1)}`
  for await (const frame of readRecording(path))
    return frame.vouched ? `${name}; its importer vouched that it holds everything about its mints` : name
  return name
}
