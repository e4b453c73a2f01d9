// Reasons why figures of a curve are null.
import { keyText } from '../../../schemas/keys.ts'
import type { CurveLaunchRow } from '../../../schemas/types.ts'

export const notNativeOf = ({ quoteMint }: Pick<CurveLaunchRow, 'quoteMint'>): string =>
  `the curve is paired with ${quoteMint === null ? 'ETH' : keyText(quoteMint)}, not ETH`
