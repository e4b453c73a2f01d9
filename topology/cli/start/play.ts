// Plays a recording to its end and says what a newcomer could ask then.
import { isAbsolute, relative } from 'node:path'
import { keyText } from '../../../schemas/keys.ts'
import type { Folds } from '../../runtime/runtime.ts'
import type { Line, Source } from '../../sources/source.ts'
import type { LogMintView } from '../../views/mint-view.ts'
import { pause } from '../../waiting/waiting.ts'
import type { Io } from '../command.ts'
import { buyCommand } from '../commands/buy/buy-command.ts'
import type { Settings } from '../settings/settings.ts'

/** A launch older than this (seconds before the clock) may have left the live window. */
const LIVE_S = 7_200
/** A card with something on it. */
const LIVELY_TRADES = 20
const NEAR_SLOTS = 2
const POLL_MS = 100

export interface Playing {
  readonly source: Source
  /** What is played, for people. */
  readonly words: string
  readonly view: LogMintView
  readonly folds: Pick<Folds, 'caughtUp'>
  readonly settings: Settings
  /** Where the API answers. */
  readonly url: string
  readonly io: Io
  /** Where another capture of the stream has begun its pace; absent where there is none, and what to try is said once this one is there. */
  readonly line?: Line | undefined
}

/** Resolves when the source has no more, or was stopped. Says what to try as soon as the folds are where the source is. */
export const play = async (playing: Playing): Promise<void> => {
  const { source, words, folds, view, io, line } = playing
  const resumed = source.frames > 0 ? `, from frame ${source.frames + 1} on` : ''
  io.say(`plays ${words}${resumed}`)
  const over = new AbortController()
  const run = source.run(line).finally(() => over.abort())
  if (line === undefined) await arrived(playing, over.signal)
  if (line === undefined && !over.signal.aborted) suggest(playing)
  await run
  if (!source.ended) return
  await folds.caughtUp()
  await view.caughtUp()
  const { folded, mintsTracked, counters } = view.status()
  const counts = `${counters.frames} frames, ${counters.events} events, ${mintsTracked} mints, ${counters.flags} flags`
  io.say(`the recording is played: ${counts}; the clock stays at its last tick (slot ${folded?.number ?? 'none'})`)
  suggest(playing)
}

/** Resolves when the folds are within a slot or two of a source that goes on, or when the source is over. */
const arrived = async ({ source, view }: Playing, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    const { folded, tip } = view.status()
    if (folded !== null && tip !== null && source.now() > folded.time * 1_000 && tip.number - folded.number <= NEAR_SLOTS) return
    await pause(POLL_MS, over)
  }
}

export const suggest = ({ view, settings, url, io }: Pick<Playing, 'view' | 'settings' | 'url' | 'io'>): void => {
  const newest = [...view.launchesSince(Math.max(0, (view.status().folded?.time ?? 0) - LIVE_S))]
  const lively = newest.find(({ state }) => (state.curve?.trades ?? 0) >= LIVELY_TRADES) ?? newest[0]
  const paths = [...(lively === undefined ? [] : [`/v1/mint/${keyText(lively.mint)}`]), '/v1/launches/recent']
  for (const path of paths) io.say(`try:  ${buyCommand(settings.dataDir, url, path)}`)
}

/** A path as seen from here, where it lies below. */
export const shorten = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.startsWith('../..') || isAbsolute(near) ? path : near
}
