import { toBase58 } from '../../../schemas/keys.ts'
import type { DemoTruth } from './market-types.ts'

/** A line of the truth file: keys in base58. */
export const printedTruth = ({ mint, creator, bundleWallets, insiders, ...rest }: DemoTruth): Readonly<Record<string, unknown>> => ({
  mint: toBase58(mint),
  creator: toBase58(creator),
  bundleWallets: bundleWallets.map(toBase58),
  insiders: insiders.map(toBase58),
  ...rest,
})
