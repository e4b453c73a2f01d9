// What a node's record of blocks has of the launchpad's calls, and what it leaves out.
import { missingIn, noteAppended, readTransaction } from './events/read-transaction.ts'
import { toFrameTransaction, touchesLaunchpad } from './normal-form.ts'
import type { SourceBlock } from './source-transaction.ts'

export interface BlockRecord {
  /** Events of the launchpad. */
  readonly events: number
  /** Calls without the event that they always emit. */
  readonly missing: number
  /** Transactions with events, without inner calls. */
  readonly withoutCalls: number
  /** Transactions with trades, and those of them without token balances. */
  readonly traded: number
  readonly withoutBalances: number
  /** Unknown bytes behind the newest known layout, by event. */
  readonly appended: ReadonlyMap<string, number>
}

const TRADES: ReadonlySet<string> = new Set(['trade', 'poolTrade'])

const NOTHING: BlockRecord = { events: 0, missing: 0, withoutCalls: 0, traded: 0, withoutBalances: 0, appended: new Map() }

/** The record of a block, added to that of the blocks before it. */
export const recordOf = ({ transactions }: Pick<SourceBlock, 'transactions'>, before = NOTHING): BlockRecord => {
  const record = { ...before, appended: new Map(before.appended) }
  for (const tx of transactions) {
    if (!touchesLaunchpad(tx)) continue
    const kept = toFrameTransaction(tx, tx.index ?? 0)
    const read = readTransaction(kept)
    const { decoded } = read
    record.events += decoded.length
    record.missing += missingIn(read)
    if (decoded.length > 0 && kept.inner === null) record.withoutCalls += 1
    noteAppended(read, record.appended)
    if (!decoded.some(({ event }) => event !== undefined && TRADES.has(event.type))) continue
    record.traded += 1
    if (tx.tokensBefore.length + tx.tokensAfter.length === 0) record.withoutBalances += 1
  }
  return record
}

/** So many calls without events, and no event, are no accident of one transaction. */
const MISSING_MIN = 2

/** What the record lacks so that nothing can be told from it; undefined if it is usable. */
export const faultOf = ({ events, missing, traded, withoutBalances }: BlockRecord): string | undefined => {
  if (events === 0 && missing >= MISSING_MIN) return `neither inner instructions nor logs: ${missing} calls of the launchpad have no event`
  return traded > 0 && withoutBalances === traded ? `no token balances: ${traded} transactions have trades and no balance` : undefined
}

/** What the operator has to change at a node whose record lacks something. */
export const NODE_ADVICE = 'start it with --enable-rpc-transaction-history and --enable-extended-tx-metadata-storage, or use another node'
/** What is not seen without inner calls. */
export const CALLS_UNSEEN = 'inner instructions are not recorded: events are taken from logs, transfers and funding inside calls are unseen'
