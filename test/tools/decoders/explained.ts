// Why another decoder may differ from mintfold. A difference that no row explains is a fault, of mintfold until shown otherwise.
import type { Difference } from './differences.ts'

interface Explanation {
  readonly name: string
  readonly why: string
  readonly explains: (difference: Difference) => boolean
}

/** Offsets in a TradeEvent after reading fee_basis_points and creator_fee_basis_points, u64 each, as u16. */
const NARROW: Readonly<Record<string, number>> = { fee: 163, creator_fee: 205, 'tape.feeUnits': 163, 'tape.creatorFeeUnits': 205 }
const WSOL = 'So11111111111111111111111111111111111111112'

const isOfDexParser = ({ decoder }: Difference): boolean => decoder.startsWith('solana-dex-parser')

export const EXPLANATIONS: readonly Explanation[] = [
  {
    name: 'rolled back',
    why: 'the transaction failed, so that its events never happened; the decoder reads the calls of failed transactions too',
    explains: ({ field, ours, transaction }) => field === 'event' && ours === null && transaction.tx.failure !== null,
  },
  {
    name: 'log only',
    why: 'the record has no inner calls; mintfold takes the event from the log, and the decoder reads calls alone',
    explains: ({ field, theirs, transaction }) => field === 'event' && theirs === null && (transaction.tx.inner ?? []).length === 0,
  },
  {
    name: 'fee rates of 16 bits',
    why: 'solana-dex-parser reads both fee rates of a TradeEvent as u16, as no layout has them: its fees are bytes from 6 and 12 before them',
    explains: (difference) => {
      const { event, field, theirs, bytes } = difference
      const at = NARROW[field]
      return isOfDexParser(difference) && event === 'TradeEvent' && at !== undefined && theirs === String(bytes.readBigUInt64LE(at))
    },
  },
  {
    name: 'every quote is SOL',
    why: 'solana-dex-parser reads no quote mint: a trade on a curve in another coin has SOL as quote, and its SOL amount, which is zero',
    explains: (difference) => {
      const { event, field, ours, theirs } = difference
      if (!isOfDexParser(difference) || event !== 'TradeEvent') return false
      const isSolAdded = theirs?.includes(WSOL) === true && ours?.includes(WSOL) === false
      return field === 'mints' ? isSolAdded : field === 'tape.quoteUnits' && theirs === '0'
    },
  },
]

/** The name of the explanation; undefined if there is none. */
export const explanationOf = (difference: Difference): string | undefined => EXPLANATIONS.find(({ explains }) => explains(difference))?.name
