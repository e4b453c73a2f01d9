// Addresses of the demo: those of the launchpad and routers that the product knows, and random ones.
import { PONS_V2, ZERO } from '../../../processors/chains/alt/launchpad.ts'
import { HEX_KEYS, type Key } from '../../../schemas/keys.ts'
import type { Random } from '../random.ts'

/** In lower case, as nodes return addresses. */
const small = (key: Key): string => HEX_KEYS.print(key).toLowerCase()
const routersNamed = (name: string): readonly string[] => [...PONS_V2.routers].flatMap(([key, one]) => (one === name ? [small(key)] : []))

export const ZERO_ADDRESS = small(ZERO)
export const [FACTORY = ''] = [...PONS_V2.factories].map(small)
export const [LAUNCH_ROUTER = ''] = routersNamed('pons_launchbuy')
export const [GMGN = ''] = routersNamed('gmgn')
export const AXIOM = routersNamed('axiom')
const pairOf = (digits: number): string => {
  const [key] = [...PONS_V2.pairs].find(([key, decimals]) => decimals === digits && key !== ZERO) ?? []
  return key === undefined ? '' : small(key)
}
/** Pair tokens with six and with eighteen decimals, and one that the product does not know. */
export const [USDG, WETH, UNKNOWN_PAIR] = [pairOf(6), pairOf(18), `0x${'5a'.repeat(20)}`]

/** A random address. */
export const newAddress = (dice: Random): string => `0x${Buffer.from(dice.key(), 'latin1').toString('hex').slice(0, 40)}`
