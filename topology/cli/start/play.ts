// Plays the sources to their end and suggests requests to a new user.
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
/** Minimum trades of a card worth suggesting. */
const LIVELY_TRADES = 20
const NEAR_SLOTS = 2
const POLL_MS = 100

/** A chain whose source this process plays. */
export interface PlayedChain {
  readonly topology: Topology
  readonly source: Source
  readonly view: FollowedView
}

/** Without `line`, suggestions are printed once the first source has arrived; with `line` they have been printed already. */
export interface Playing extends Suggesting, Lining {
  /** The sources, as text. */
  readonly words: string
  readonly folds: Pick<Folds, 'caughtUp'>
}

/**
 * Resolves when the sources have ended or were stopped. Prints suggestions once the folds have reached the first source. The other
 * sources follow its anchor.
 */
export const playAll = async (chains: readonly PlayedChain[], playing: Playing): Promise<void> => {
  const { words, io, line, settings, url, suggested } = playing
  const [first] = chains
  if (first === undefined) return
  const resumed = first.source.frames > 0 ? `, from frame ${first.source.frames + 1} on` : ''
  io.printNotice(`plays ${words}${resumed}`)
  const over = new AbortController()
  const running = runOnOneLine(chains, playing, (one) => void (one === first && over.abort()))
  running.catch(() => over.abort())
  if (line === undefined) await arrived(first, over.signal)
  if (line === undefined && !over.signal.aborted) suggest({ settings, url, io, suggested })
  await running
  if (chains.some(({ source }) => !source.ended)) return
  await playing.folds.caughtUp()
  for (const { view } of chains) await view.caughtUp()
  io.printNotice(`the recording is played: ${chains.map(countsOf).join('; ')}`)
  suggest({ settings, url, io, suggested })
}

/** How several sources of one stream run together. */
export interface Lining {
  readonly stop: AbortSignal
  /** The speed option. */
  readonly speed?: Speed | undefined
  /** The anchor of an already running pace; absent: the first source starts it. */
  readonly line?: Line
  /** The sources after the first start after this; absent: at once. */
  readonly after?: Promise<unknown> | undefined
}

/** Runs the sources; those after the first follow its anchor. Calls `ended` for each that has ended or failed. Rejects if one fails. */
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

/** The anchor of a source once its pace has started; undefined for a source that has ended. */
const lineOf = async (source: Source, stop: AbortSignal): Promise<Line | undefined> => {
  while (!stop.aborted && !source.ended && (source.anchor()?.speed ?? 0) === 0) await pause(POLL_MS, stop)
  const anchor = source.anchor()
  return anchor !== undefined && anchor.speed > 0 ? anchor : undefined
}

/** Resolves when the folds are within NEAR_SLOTS of a running source, or when the source has ended. */
const arrived = async ({ source, view }: PlayedChain, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    const [{ folded, tip }, nowMs] = [view.status(), source.now()]
    if (folded !== null && tip !== null && nowMs !== null && nowMs > folded.time * 1_000 && tip.number - folded.number <= NEAR_SLOTS) return
    await pause(POLL_MS, over)
  }
}

export interface Suggesting {
  readonly settings: Settings
  /** Address of the API. */
  readonly url: string
  readonly io: Io
  /** Paths to suggest now. */
  readonly suggested: () => readonly string[]
}

export const suggest = ({ settings, url, io, suggested }: Suggesting): void => {
  for (const path of suggested()) io.printNotice(`try:  ${buyCommand(settings.dataDir, url, path)}`)
  io.printNotice('SQL:  npx mintfold sql --access prints the address, user and password for any client')
}

/** The card of a mint with many trades, if there is one, and the list. */
export const mintPaths = (view: LogMintView): readonly string[] => {
  const newest = [...view.launchesSince(Math.max(0, (view.status().folded?.time ?? 0) - LIVE_S))]
  const lively = newest.find(({ state }) => (state.curve?.trades ?? 0) >= LIVELY_TRADES) ?? newest[0]
  return [...(lively === undefined ? [] : [`/v1/mint/${keyText(lively.mint)}`]), '/v1/launches/recent']
}

/** The path relative to the working directory, if it is below it or its parent. */
export const shorten = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.startsWith('../..') || isAbsolute(near) ? path : near
}
