// Reasons why figures of a mint are null.
import { keyText } from '../../../schemas/keys.ts'
import type { CurveRow } from '../../../schemas/types.ts'
import type { ChainFacts } from '../../chains/chain.ts'

export const NOT_MIGRATED = 'the curve has not migrated'
export const NO_RESERVES = 'the reserves of the curve are not known'
/** The value of `quote_mint`: for curves paired with the chain's own coin, the mint that represents it. */
export const quoteMintOf = ({ quoteMint }: Pick<CurveRow, 'quoteMint'>, { quote }: Pick<ChainFacts, 'quote'>): string =>
  keyText(quoteMint ?? quote.mint)
/** Why figures in the chain's own coin are null. */
export const notQuoteOf = (curve: Pick<CurveRow, 'quoteMint'>, chain: Pick<ChainFacts, 'quote'>): string =>
  `the curve is paired with ${quoteMintOf(curve, chain)}, not ${chain.quote.symbol}`
export const noPoolOf = (curve: Readonly<CurveRow>): string =>
  curve.migratedAt === 0 ? NOT_MIGRATED : 'the opening of the pool was not seen'
/** Why a threshold in SOL does not apply; undefined where it does. */
export const notInSol = (curve: Readonly<CurveRow>): string | undefined =>
  curve.quoteMint === null ? undefined : `the curve is paired with ${keyText(curve.quoteMint)}, not SOL: its threshold is in SOL`
