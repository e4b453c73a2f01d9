// Adds failed transactions: the demo fails as often as recorded blocks (45 %); the load to size for has two failures per trade.
import type { Signature } from '../../schemas/keys.ts'
import type { DemoSlot, DemoTransaction } from '../../topology/simulator/solana/market-types.ts'

const again = (tx: DemoTransaction, copy: number, index: number): DemoTransaction => ({
  ...tx,
  index,
  signature: `${tx.signature.slice(0, -1)}${String.fromCharCode((tx.signature.charCodeAt(63) + copy + 1) % 256)}` as Signature,
})

/** The slot with this many more copies of each failed launchpad transaction appended. */
export const crowded = (slot: DemoSlot, copies: number): DemoSlot => {
  let index = (slot.transactions.at(-1)?.index ?? 0) + 1
  const failed = slot.transactions.filter((tx) => tx.failed !== null && tx.instructions.some(({ kind }) => kind === 'launchpad'))
  const more = failed.flatMap((tx) => Array.from({ length: copies }, (_, copy) => again(tx, copy, index++)))
  return { ...slot, transactions: [...slot.transactions, ...more], transactionsTotal: Math.max(slot.transactionsTotal, index) }
}
