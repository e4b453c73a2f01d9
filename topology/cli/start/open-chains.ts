// The chains of a process: the source that it plays for each, and the status of each source, which may run in another process.
import { assert } from '../../../schemas/errors.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import type { StreamClock } from '../../ports/chain-view.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { SourceStatus } from '../../ports/source-status.ts'
import type { SourceContext, SourceHandle } from '../../sources/source.ts'
import type { Topology } from '../../topology.ts'
import { LogSource } from '../../views/status/log-source.ts'
import { stopped } from '../../waiting/waiting.ts'
import { chainsPlayed, type GivenSource } from '../wiring/open-source.ts'
import type { Closing } from './closing.ts'
import type { OpenViews } from './open-views.ts'

/** Until the capture process has published its facts. */
const UNKNOWN_SOURCE = 'a source whose name is not known yet'
const NOTHING = 'nothing: no source of this chain is played'

/** A chain as seen by this process. */
export interface ChainHere {
  readonly topology: Topology
  /** The source that this process plays; null if none. */
  readonly own: SourceHandle | null
  /** Status of its source, and the clock of its cards. */
  readonly source: SourceStatus & StreamClock & { readonly frames?: number }
  /** `meta.source` of its answers. */
  readonly facts: () => string
}

/** The source status of a chain that no process sends; its clock is that of a live chain. */
const NOBODY: ChainHere['source'] = { tip: () => null, now: Date.now }

/** The entry of a topology in a list that has every chain. */
export const hereOf = <Here extends ChainHere>(chains: readonly Here[], topology: Topology): Here => {
  const here = chains.find((one) => one.topology === topology)
  assert(here !== undefined, `every chain is open, ${topology.chain.name} too`)
  return here
}

/** The played sources, as text. */
export const wordsOf = (chains: readonly ChainHere[]): string => chains.flatMap(({ own }) => own?.words ?? []).join(', and ')

/** Opens a source of one chain. */
export type OpenOne = (given: GivenSource) => Promise<SourceHandle>

/** Opens the source of each chain that the options name. Registers their ends with `closing`. */
export const openPlayed = async (
  given: Omit<GivenSource, 'chain'>,
  open: OpenOne,
  closing: Closing,
): Promise<ReadonlyMap<Topology, SourceHandle>> => {
  const { options, live, liveAlt } = given
  const opened = new Map<Topology, SourceHandle>()
  const chains = await chainsPlayed(options, { ...(live && { live }), ...(liveAlt && { liveAlt }) })
  for (const topology of TOPOLOGIES.filter(({ chain }) => chains.includes(chain.name))) {
    const source = await open({ ...given, chain: topology.chain.name })
    if (source.close !== undefined) closing.add(`source thread of ${topology.chain.name}`, source.close)
    opened.set(topology, source)
  }
  return opened
}

/** A chain whose source runs in another process. */
export interface RemoteChain extends ChainHere {
  readonly source: LogSource
}

/** The source of a chain on a shared log, as published by its capture process. */
export const openRemoteChain = async (
  log: Log,
  topology: Topology,
  { stop, notice }: Pick<SourceContext, 'stop' | 'notice'>,
  closing: Closing,
): Promise<RemoteChain> => {
  const source = new LogSource(log, topology, Date.now, notice)
  closing.add(`source of ${topology.chain.name}`, () => source.stop())
  await Promise.race([source.start(), stopped(stop)])
  return { topology, own: null, source, facts: () => source.facts ?? UNKNOWN_SOURCE }
}

interface Opening {
  readonly given: Omit<GivenSource, 'chain'>
  readonly open: OpenOne
  readonly log: Log
  /** True if other processes may capture the chains that this one does not. */
  readonly isShared: boolean
  readonly stop: AbortSignal
  readonly notice: Notice
}

/** All chains, in the order of `TOPOLOGIES`. */
export const openChains = async ({ given, open, log, isShared, ...ground }: Opening, closing: Closing): Promise<readonly ChainHere[]> => {
  const played = await openPlayed(given, open, closing)
  return Promise.all(
    TOPOLOGIES.map(async (topology): Promise<ChainHere> => {
      const own = played.get(topology)
      if (own !== undefined) return { topology, own, source: own.source, facts: () => own.facts }
      return isShared ? openRemoteChain(log, topology, ground, closing) : { topology, own: null, source: NOBODY, facts: () => NOTHING }
    }),
  )
}

/** Chains whose source this process plays, with their views. */
export const playedOf = (chains: readonly ChainHere[], views: OpenViews['all']) =>
  chains.flatMap(({ topology, own }) => {
    const view = views.get(topology)
    return own === null || view === undefined ? [] : [{ topology, facts: own.facts, source: own.source, view }]
  })
