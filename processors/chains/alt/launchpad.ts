// Addresses of the launchpad (Pons V2 on Robinhood Chain, chain id 4663) and of the routers that trade on it. Names of routers are third
// parties' labels, from public registries.
import { HEX_KEYS, type Key, mustHexKey } from '../../../schemas/keys.ts'

/** The contracts whose events count, and the routers' names. An operator may configure each field. */
export interface Launchpad {
  /** Contracts that announce curves. */
  readonly factories: ReadonlySet<Key>
  /** Contracts that register pools. */
  readonly hooks: ReadonlySet<Key>
  /** Contracts that call curves on behalf of wallets: names by address. */
  readonly routers: ReadonlyMap<Key, string>
  /** Names of the routers that are trading terminals. */
  readonly terminals: ReadonlySet<string>
  /**
   * The variant of the decoder (`Processor.make`): null for the deployed addresses, else a digest of the configured ones, because with
   * other addresses the same frames decode to other events.
   */
  readonly make: string | null
  /** Decimals of pair (quote) tokens, by address. */
  readonly pairs: ReadonlyMap<Key, number>
}

/** The zero address: the sender of minted tokens, the recipient of burnt ones, and ETH where an event names a pair token. */
export const ZERO: Key = mustHexKey(`0x${'00'.repeat(20)}`)
const WETH = '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73'
const USDG = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'

const FACTORY = '0x7eD598BcEf8bd9Edd8C97A195C6d13f40801EC7e'
const MEME_HOOK = '0xE5e702641Ea86F4ae6cC3cDaeD2B886f976Be044'

const ROUTERS: Readonly<Record<string, readonly string[]>> = {
  pons_launchbuy: ['0xe33e9e479df8802cb0866d5d05258bec4cf62948'],
  gmgn: ['0x65050a9b7e5075a2ba5ced7b1b64ee66262c40dc', '0xe492912f37c2a4eca45d42dc67548f4c6cd7ce2b'],
  axiom: [
    '0xcda14e87628317e4f90077750fbe9634b896a24f',
    '0x76a0e120631735845769e3de2606924af7716150',
    '0xc6cdc85a225236013ee9b3b47dd05c07aed1fabc',
    '0x105358a03c47706ad4697e227d5a8ddfacf85448',
    '0xe3dc74b2d5b83916a1682777f1de8b2155ddfc38',
    '0xd9fc1771672f08f3abce96d033cc21d1e5a3ac7f',
    '0x578980d6cac7ab262c40dfca650b1d2d259c1cca',
    '0x4a86009a36fcec5aa341ffceb3205a911fcf6f60',
    '0x9689992f5b5c09447f15906d8d11214944488341',
  ],
  uniswap_universal_router: ['0x8876789976decbfcbbbe364623c63652db8c0904', '0x53bf6b0684ec7ef91e1387da3d1a1769bc5a6f77'],
  kyberswap_meta_router_v2: ['0x6131b5fae19ea4f9d964eac0408e4408b66337b5'],
  relay_router_v3: ['0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f'],
  lifi_diamond: ['0xb477751b76cf82d00a686a1232f5fcd772414af3'],
  robinhood_settler: ['0xe72688f7d25d7318b9a81f21edda640ca948c83b'],
}

/** The launchpad as it is deployed. */
export const PONS_V2: Launchpad = {
  factories: new Set([mustHexKey(FACTORY)]),
  hooks: new Set([mustHexKey(MEME_HOOK)]),
  routers: new Map(
    Object.entries(ROUTERS).flatMap(([name, addresses]) => addresses.map((address) => [mustHexKey(address), name] as const)),
  ),
  terminals: new Set(['gmgn', 'axiom']),
  make: null,
  pairs: new Map([
    [ZERO, 18],
    [mustHexKey(WETH), 18],
    [mustHexKey(USDG), 6],
  ]),
}

/** The largest power of ten that fits 256 bits: with more decimals, the amount of one token would not fit. */
const DECIMALS_MAX = 77

/** Decimals of a pair token, or why they are unknown. */
export const decimalsOf = ({ pairs }: Launchpad, pair: Key): { readonly decimals: number | null; readonly reason: string | null } => {
  const decimals = pairs.get(pair)
  if (decimals === undefined) return { decimals: null, reason: `decimals of the pair token ${HEX_KEYS.print(pair)} are not known` }
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS_MAX) return { decimals, reason: null }
  return { decimals: null, reason: `${decimals} decimals of the pair token ${HEX_KEYS.print(pair)} are not between 0 and ${DECIMALS_MAX}` }
}
