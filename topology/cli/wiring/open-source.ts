// Opens the source that `--source` names for a chain.
import { resolve } from 'node:path'
import type { Chain } from '../../../schemas/types.ts'
import { ALT_SOURCES, LAUNCH_RISK, SOURCES, TOPOLOGIES } from '../../launch-risk.ts'
import type { SourceLog } from '../../ports/log.ts'
import { captureOwner } from '../../ports/source-owners.ts'
import type { AltSettings, LiveSettings } from '../../sources/live-settings.ts'
import { paceWords, RecordingSource } from '../../sources/recording/recording.ts'
import { readRecording } from '../../sources/recording/recording-file.ts'
import type { ChainSources, SourceContext, SourceHandle } from '../../sources/source.ts'
import type { Topology } from '../../topology.ts'
import { usable } from '../../versions/partitions/half-made.ts'
import { readRebuild } from '../../versions/stores-record.ts'
import { UsageError } from '../command.ts'
import type { Settings } from '../settings/settings.ts'
import { DEMO, LIVE, sourceName } from '../settings/source-name.ts'
import type { SourceOptions } from '../settings/source-options.ts'
import { shorten } from '../start/play.ts'

/** The nodes of the chains; absent if live sources are not supported. */
export type Nodes = Partial<Pick<Settings, 'live' | 'liveAlt'>>

/** The options of the source, and one of the chains that it has. */
export interface GivenSource extends Nodes {
  readonly chain: Chain
  readonly options: SourceOptions
}

/** `waitsForChecks`: see the options of a live source. */
export type NamedSourceContext = SourceContext & { readonly waitsForChecks?: boolean }

/** How the sources of a chain are opened. */
interface Player {
  readonly topology: Topology
  readonly demo: Pick<ChainSources<never>, 'demo' | 'heldStart'>
  hasNode(nodes: Nodes): boolean
  live(log: SourceLog, given: GivenSource, ground: NamedSourceContext): Promise<SourceHandle>
}

const playerOf = <ChainNodes>(
  topology: Topology,
  sources: ChainSources<ChainNodes>,
  nodesOf: (nodes: Nodes) => ChainNodes | null,
): Player => ({
  topology,
  demo: sources,
  hasNode: (nodes) => nodesOf(nodes) !== null,
  live: (log, { options: { frames }, ...nodes }, { notice = () => {}, stop, waitsForChecks = false }) => {
    const settings = nodesOf(nodes)
    if (settings === null) throw new UsageError(`--source live needs a node of the chain ${topology.chain.name}`)
    return sources.live(log, { settings, notice, stop, waitsForChecks, ...(frames === undefined ? {} : { framesMax: frames }) })
  },
})

const primaryNodes = ({ live }: Nodes): LiveSettings | null => (live?.rpcUrl || live?.grpcUrl ? live : null)
const altNodes = ({ liveAlt }: Nodes): AltSettings | null => (liveAlt?.rpcUrl ? liveAlt : null)

const PLAYERS: readonly Player[] = [playerOf(LAUNCH_RISK, SOURCES, primaryNodes), playerOf(TOPOLOGIES[1], ALT_SOURCES, altNodes)]

/** The chain of the first frame; the primary chain for a recording without frames. @throws EngineError as `readRecording` */
export const recordedChain = async (path: string): Promise<Chain> => {
  for await (const { chain } of readRecording(path)) return chain
  return LAUNCH_RISK.chain.name
}

/**
 * The chains that the source has, in the order of `TOPOLOGIES`: the demo has all, a recording its own, live those whose node is set. If
 * `--source` names a chain, only that chain. @throws EngineError for a file that is not a recording
 */
export const chainsPlayed = async ({ source }: SourceOptions, nodes: Nodes): Promise<readonly Chain[]> => {
  const { kind, chain, path } = sourceName(source) ?? { kind: DEMO, chain: null, path: null }
  if (chain !== null) return [chain]
  if (path !== null) return [await recordedChain(resolve(path))]
  return PLAYERS.filter(({ hasNode }) => kind !== LIVE || hasNode(nodes)).map(({ topology }) => topology.chain.name)
}

/**
 * The options of a demo with its start. Without `--start` that of the log's demo, which continues with its own clock if it has one; on a log
 * without a demo now, on the wall clock.
 */
export const withStart = async <Options extends SourceOptions>(log: SourceLog, options: Options, nowMs: number): Promise<Options> => {
  if (sourceName(options.source)?.kind !== DEMO || options.start !== undefined) return options
  for (const { topology, demo } of PLAYERS) {
    const id = captureOwner(topology.chain.name)
    const committed = (await log.peek?.(id)) ?? (await log.own(id)).committed()
    const held = await Promise.all([...committed.keys()].map((name) => demo.heldStart(name, options)))
    const known = held.find((one) => one !== undefined)
    if (known !== undefined) return { ...options, ...known }
  }
  return { ...options, start: Math.floor(nowMs / 1_000) * 1_000, isOnWall: true }
}

/**
 * Opens the source on the log and takes over the raw topic of its chain. @throws EngineError `data_dir_source` if the log has frames of
 * another source, `half_made`, and for a file that is not a recording.
 */
export const openSource = async (log: SourceLog, given: GivenSource, ground: NamedSourceContext): Promise<SourceHandle> => {
  const { options, chain } = given
  const player = PLAYERS.find(({ topology }) => topology.chain.name === chain)
  const named = sourceName(options.source)
  if (player === undefined || named === undefined) throw new UsageError(`--source ${options.source} is not a source`)
  const { operations } = player.topology
  usable(await readRebuild(log, operations.rebuild.reads.rebuilds, chain))
  if (named.kind === DEMO) return player.demo.demo(log, options, ground)
  if (named.kind === LIVE) return player.live(log, given, ground)
  return openRecording(log, player.topology, options, resolve(named.path ?? ''), ground)
}

const openRecording = async (
  log: SourceLog,
  { chain, sources }: Topology,
  { speed = 'max', frames }: SourceOptions,
  path: string,
  { stop }: SourceContext,
): Promise<SourceHandle> => {
  const source = new RecordingSource(log, sources.recording.writes.raw, {
    ...{ chain: chain.name, path, speed, wall: Date.now, stop },
    ...(frames === undefined ? {} : { framesMax: frames }),
  })
  await source.open()
  return { source, facts: await factsOf(path), words: `${shorten(path)} ${paceWords(speed)}` }
}

/** Describes the origin of the events, and whether they were declared complete. */
const factsOf = async (path: string): Promise<string> => {
  const name = `recording ${path.split('/').at(-1)}`
  for await (const frame of readRecording(path))
    return frame.vouched ? `${name}; its importer vouched that it holds everything about its mints` : name
  return name
}
