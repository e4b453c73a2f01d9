// Parses `--source`: the kind of source, and the chain if given.
import type { Chain } from '../../../schemas/types.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'

export const DEMO = 'demo'
export const LIVE = 'live'
const RECORDING = 'recording:'
/** The own log, only for `record`. */
export const LOG = 'log'

export type SourceKind = typeof DEMO | typeof LIVE | typeof LOG | 'recording'

/** `chain`: null if not given. `path`: of a recording. */
export interface SourceName {
  readonly kind: SourceKind
  readonly chain: Chain | null
  readonly path: string | null
}

const CHAINS = TOPOLOGIES.map(({ chain }) => chain.name)
const KINDS = [DEMO, LIVE, LOG] as const

/** `demo`, `live`, `log`, each alone or as `demo:alt`, and `recording:PATH`; undefined for any other text. */
export const sourceName = (text: string): SourceName | undefined => {
  if (text.startsWith(RECORDING) && text.length > RECORDING.length)
    return { kind: 'recording', chain: null, path: text.slice(RECORDING.length) }
  const [word, named, ...more] = text.split(':')
  const kind = KINDS.find((known) => known === word)
  const chain = CHAINS.find((known) => known === named)
  if (kind === undefined || more.length > 0 || (named !== undefined && chain === undefined)) return undefined
  return { kind, chain: chain ?? null, path: null }
}

/** `solana or alt`. */
export const chainWords = CHAINS.join(' or ')
