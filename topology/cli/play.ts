// Plays a recording to its end and says what a newcomer could ask then.
import { isAbsolute, relative } from 'node:path'
import { toBase58 } from '../../schemas/keys.ts'
import type { Folds } from '../runtime.ts'
import type { Source } from '../sources/source.ts'
import type { LogMintView } from '../views/mint-view.ts'
import type { Io } from './command.ts'
import type { Settings } from './settings.ts'

/** A launch older than this (seconds before the clock) may have left the live window. */
const LIVE_S = 7_200

export interface Playing {
  readonly source: Source
  /** What is played, for people. */
  readonly words: string
  readonly view: LogMintView
  readonly folds: Folds
  readonly settings: Settings
  /** Where the API answers. */
  readonly url: string
  readonly io: Io
}

/** Resolves at the end of the recording, when everything it led to can be asked; or when the source was stopped. */
export const play = async (playing: Playing): Promise<void> => {
  const { source, words, view, folds, io } = playing
  const resumed = source.frames > 0 ? `, from frame ${source.frames + 1} on` : ''
  io.say(`plays ${words}${resumed}`)
  await source.run()
  if (!source.ended) return
  await folds.caughtUp()
  await view.caughtUp()
  const { folded, mintsTracked, counters } = view.status()
  const counts = `${counters.frames} frames, ${counters.events} events, ${mintsTracked} mints, ${counters.flags} flags`
  io.say(`the recording is played: ${counts}; the clock stays at its last tick (slot ${folded?.number ?? 'none'})`)
  suggest(playing, folded?.time ?? 0)
}

/** Commands that work as they stand, from the directory in which the server was started. */
const suggest = ({ view, settings, url, io }: Playing, now: number): void => {
  const [newest] = view.launchesSince(Math.max(0, now - LIVE_S))
  const data = settings.dataDir === '.mintfold' ? '' : `MINTFOLD_DATA_DIR=${settings.dataDir} `
  const server = url === 'http://127.0.0.1:8402' ? '' : ` --server ${url}`
  const paths = [...(newest === undefined ? [] : [`/v1/mint/${toBase58(newest.mint)}`]), '/v1/launches/recent']
  for (const path of paths) io.say(`try:  ${data}npx mintfold buy ${path}${server}`)
}

/** A path as seen from here, where it lies below. */
export const shorten = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') || isAbsolute(near) ? path : near
}
