// The hot path: decodes one frame to the tape's events, in position order.
import type { BadData } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import { compareWithin, tickOf } from '../../../schemas/position.ts'
import { tapeKeyOf } from '../../../schemas/tape-key.ts'
import type { FrameTransaction, RawFrame, TapeEvent } from '../../../schemas/types.ts'
import type { DecodedFrame, FrameRecord } from '../decoder.ts'
import { hasFailed, missingIn, noteAppended, type ReadTransaction, readTransaction } from './events/read-transaction.ts'
import { balanceEvents, otherBalanceEvents, ownTransferEvents, transferEvents } from './events/tape-moves.ts'
import { openBody } from './frame.ts'

const logOf = ({ logs }: FrameTransaction): Buffer => Buffer.from((logs ?? []).join('\n'))

const noteRecord = (record: FrameRecord, tx: FrameTransaction, read: ReadTransaction): void => {
  record.emitted += read.decoded.length
  record.missing += missingIn(read)
  if (!tx.failed && tx.inner === null && tx.logs !== null) record.logsOnly += 1
  noteAppended(read, record.appended)
}

const decodeTransaction = (number: number, tx: FrameTransaction, into: DecodedFrame<TapeEvent>): void => {
  const { index, signature } = tx
  const letter = (
    { outer, inner }: { outer: number; inner: number },
    { code, reason }: Pick<BadData, 'code' | 'reason'>,
    bytes: Uint8Array,
  ) => into.deadLetters.push({ at: { chain: 'solana', number, tx: index, outer, inner }, code, reason, signature, bytes })
  const read = readTransaction(tx)
  const { decoded, failed, problems, silent } = read
  for (const { event } of decoded) if (event !== undefined) into.events.push(event)
  if (into.record !== undefined) noteRecord(into.record, tx, read)
  for (const { found, why } of failed) letter(found, why, found.bytes)
  for (const problem of problems) {
    letter(problem, problem, logOf(tx))
    if (!problem.isTold) into.incomplete ??= problem.reason
  }
  for (const one of silent) {
    if (!hasFailed(one, failed)) letter(one, { code: 'event_missing', reason: one.reason }, one.instruction.data)
    if (one.mints.length === 0) into.incomplete ??= one.reason
    const { outer, inner, call } = one
    for (const mint of new Set(one.mints))
      into.events.push({ type: 'missingEvent', tx: index, outer, inner, signature, mint, timestamp: null, call })
  }
}

/** The mints in a frame: those that its events prove to be the launchpad's, and all mints of its events. */
export interface SeenMints {
  /** Mints with a launch, a trade on the curve, or its completion or migration. */
  readonly proven: ReadonlySet<Key>
  /** `proven`, and mints with any other event of the launchpad's programs; not those that have only balances. */
  readonly seen: ReadonlySet<Key>
}

/** The mints in the transactions of one slot, in order of first appearance. */
export const mintsSeen = (number: number, transactions: readonly FrameTransaction[]): SeenMints => {
  const decoded: DecodedFrame<TapeEvent> = { events: [], deadLetters: [], launchpadTransactions: null, launchpadFailed: null }
  for (const tx of transactions) decodeTransaction(number, tx, decoded)
  const proving = decoded.events.filter(({ type }) => type === 'launch' || type === 'trade' || type === 'complete' || type === 'migrate')
  return { proven: new Set(proving.map(tapeKeyOf)), seen: new Set(decoded.events.map(tapeKeyOf)) }
}

/**
 * Decodes a frame whose parts are joined. Total: it returns for any bytes; anything that cannot be decoded becomes a dead letter, and the
 * rest is decoded. Events that the tape does not carry are parsed too, so that damaged ones become dead letters.
 */
export const decodeFrame = (frame: RawFrame): DecodedFrame<TapeEvent> => {
  const body = openBody(frame)
  if (!body.ok) {
    const { code, reason } = body
    const deadLetter = { at: tickOf('solana', frame.number), code, reason, signature: null, bytes: frame.body }
    return { events: [], deadLetters: [deadLetter], launchpadTransactions: null, launchpadFailed: null }
  }
  const { transactions } = body.value
  const launchpadFailed = transactions.reduce((failed, tx) => failed + (tx.failed ? 1 : 0), 0)
  const record = { emitted: 0, missing: 0, logsOnly: 0, appended: new Map<string, number>() }
  const counts = { launchpadTransactions: transactions.length, launchpadFailed }
  const decoded: DecodedFrame<TapeEvent> = { events: [], deadLetters: [], ...counts, record }
  for (const tx of transactions) {
    const first = decoded.events.length
    decodeTransaction(frame.number, tx, decoded)
    decoded.events.push(...balanceEvents(tx, decoded.events.slice(first)), ...ownTransferEvents(tx))
  }
  decoded.events.push(...otherBalanceEvents(body.value), ...transferEvents(body.value))
  decoded.events.sort(compareWithin)
  return decoded
}
