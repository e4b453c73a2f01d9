// Addresses of the demo: those of the launchpad and of routers that the product knows, and made ones.
import { PONS_V2, ZERO } from '../../../processors/chains/alt/launchpad.ts'
import { HEX_KEYS, type Key } from '../../../schemas/keys.ts'
import type { Random } from '../random.ts'

/** As nodes write addresses: small letters. */
const small = (key: Key): string => HEX_KEYS.print(key).toLowerCase()
const routersNamed = (name: string): readonly string[] => [...PONS_V2.routers].flatMap(([key, one]) => (one === name ? [small(key)] : []))

export const ZERO_ADDRESS = small(ZERO)
export const [FACTORY = ''] = [...PONS_V2.factories].map(small)
export const [LAUNCH_ROUTER = ''] = routersNamed('pons_launchbuy')
export const [GMGN = ''] = routersNamed('gmgn')
export const AXIOM = routersNamed('axiom')
/** A pair token of six decimals. */
export const [USDG = ''] = [...PONS_V2.pairs].flatMap(([key, decimals]) => (decimals === 6 ? [small(key)] : []))

/** Of nobody else. */
export const newAddress = (dice: Random): string => `0x${Buffer.from(dice.key(), 'latin1').toString('hex').slice(0, 40)}`
