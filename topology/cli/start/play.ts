// Plays the sources to their end and says what a newcomer could ask then.
import { isAbsolute, relative } from 'node:path'
import { keyText } from '../../../schemas/keys.ts'
import type { Folds } from '../../runtime/runtime.ts'
import type { Speed } from '../../sources/recording/recording.ts'
import type { Line, Source } from '../../sources/source.ts'
import type { Topology } from '../../topology.ts'
import type { LogMintView } from '../../views/mint-view.ts'
import { pause } from '../../waiting/waiting.ts'
import type { Io } from '../command.ts'
import { buyCommand } from '../commands/buy/buy-command.ts'
import type { Settings } from '../settings/settings.ts'
import type { FollowedView } from './begin-folds.ts'

/** A launch older than this (seconds before the clock) may have left the live window. */
const LIVE_S = 7_200
/** A card with something on it. */
const LIVELY_TRADES = 20
const NEAR_SLOTS = 2
const POLL_MS = 100

/** A chain that this process sends. */
export interface PlayedChain {
  readonly topology: Topology
  readonly source: Source
  readonly view: FollowedView
}

/** Without a line what to try is said once the first source is there; with one it was said before. */
export interface Playing extends Suggesting, Lining {
  /** What is played, for people. */
  readonly words: string
  readonly folds: Pick<Folds, 'caughtUp'>
}

/**
 * Resolves when the sources have no more, or were stopped. Says what to try as soon as the folds are where the first source is. The others
 * play on its line of time.
 */
export const playAll = async (chains: readonly PlayedChain[], playing: Playing): Promise<void> => {
  const { words, io, line, settings, url, suggested } = playing
  const [first] = chains
  if (first === undefined) return
  const resumed = first.source.frames > 0 ? `, from frame ${first.source.frames + 1} on` : ''
  io.say(`plays ${words}${resumed}`)
  const over = new AbortController()
  const running = runOnOneLine(chains, playing, (one) => void (one === first && over.abort()))
  running.catch(() => over.abort())
  if (line === undefined) await arrived(first, over.signal)
  if (line === undefined && !over.signal.aborted) suggest({ settings, url, io, suggested })
  await running
  if (chains.some(({ source }) => !source.ended)) return
  await playing.folds.caughtUp()
  for (const { view } of chains) await view.caughtUp()
  io.say(`the recording is played: ${chains.map(countsOf).join('; ')}`)
  suggest({ settings, url, io, suggested })
}

/** How several sources of one stream run. */
export interface Lining {
  readonly stop: AbortSignal
  /** As the options have it. */
  readonly speed?: Speed | undefined
  /** Where its pace has begun already; absent: the first source begins it. */
  readonly line?: Line
  /** The sources after the first begin after this; absent: at once. */
  readonly after?: Promise<unknown>
}

/** Runs the sources, those after the first on its line of time. `ended` is told of each that is over. Rejects as they do. */
export const runOnOneLine = async <Run extends { readonly source: Source }>(
  chains: readonly Run[],
  { stop, speed, line, after }: Lining,
  ended: (one: Run) => void,
): Promise<void> => {
  const first = chains[0]?.source
  const begin = async ({ source }: Run): Promise<void> => {
    if (source !== first) await after
    const isAlone = first === undefined || first === source || speed === 'max'
    await source.run(line ?? (isAlone ? undefined : await lineOf(first, stop)))
  }
  await Promise.all(chains.map((one) => begin(one).finally(() => ended(one))))
}

const countsOf = ({ topology, view }: PlayedChain): string => {
  const { folded, tracked, counters } = view.status()
  const counts = `${counters.frames} frames, ${counters.events} events, ${tracked} mints, ${counters.flags} flags`
  return `${counts}; the clock of ${topology.chain.name} stays at its last tick (slot ${folded?.number ?? 'none'})`
}

/** Where the pace of a source begins, once it does; undefined for one that has ended, which has no pace any more. */
const lineOf = async (source: Source, stop: AbortSignal): Promise<Line | undefined> => {
  while (!stop.aborted && !source.ended && (source.anchor()?.speed ?? 0) === 0) await pause(POLL_MS, stop)
  const anchor = source.anchor()
  return anchor !== undefined && anchor.speed > 0 ? anchor : undefined
}

/** Resolves when the folds are within a slot or two of a source that goes on, or when the source is over. */
const arrived = async ({ source, view }: PlayedChain, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    const { folded, tip } = view.status()
    if (folded !== null && tip !== null && source.now() > folded.time * 1_000 && tip.number - folded.number <= NEAR_SLOTS) return
    await pause(POLL_MS, over)
  }
}

export interface Suggesting {
  readonly settings: Settings
  /** Where the API answers. */
  readonly url: string
  readonly io: Io
  /** Paths to try now. */
  readonly suggested: () => readonly string[]
}

export const suggest = ({ settings, url, io, suggested }: Suggesting): void => {
  for (const path of suggested()) io.say(`try:  ${buyCommand(settings.dataDir, url, path)}`)
}

/** A lively mint's card, where there is one, and the list. */
export const mintPaths = (view: LogMintView): readonly string[] => {
  const newest = [...view.launchesSince(Math.max(0, (view.status().folded?.time ?? 0) - LIVE_S))]
  const lively = newest.find(({ state }) => (state.curve?.trades ?? 0) >= LIVELY_TRADES) ?? newest[0]
  return [...(lively === undefined ? [] : [`/v1/mint/${keyText(lively.mint)}`]), '/v1/launches/recent']
}

/** A path as seen from here, where it lies below. */
export const shorten = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.startsWith('../..') || isAbsolute(near) ? path : near
}
