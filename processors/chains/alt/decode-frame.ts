// The hot path: decodes one frame to the tape's events, in position order.
import { type Amount, isWithin256Bits } from '../../../schemas/amount.ts'
import { type BadData, bad, good, type Parsed } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import { tickOf } from '../../../schemas/position.ts'
import type { AltFrameBody, AltTapeEvent, AltTransaction, RawFrame } from '../../../schemas/types.ts'
import type { CountedBody, DecodedFrame, ReadRows } from '../decoder.ts'
import { type AltDecodeRows, Contracts } from './contracts.ts'
import { openBody } from './frame.ts'
import type { Launchpad } from './launchpad.ts'
import { TO_TAPE } from './tape-events.ts'
import { deadLetterOf, type FrameScope, logsOf, type OwnLog } from './transaction-logs.ts'
import type { TransactionScope } from './transaction-scope.ts'
import type { Move } from './wallet.ts'

/** The largest index of a transaction or log that the text form of a position can hold. */
const INDEX_MAX = 999_999_999
const isIndex = (index: number): boolean => index >= 0 && index <= INDEX_MAX

const moveOf = ({ abi, log, indexed, nonIndexed }: OwnLog): Move[] =>
  abi.name !== 'Transfer'
    ? []
    : [{ index: log.index, token: log.address, from: indexed[0] as Key, to: indexed[1] as Key, units: nonIndexed[0] as Amount }]

const comparePositions = (a: AltTapeEvent, b: AltTapeEvent): number => a.tx - b.tx || a.outer - b.outer

/** Bad data if a field exceeds 256 bits: some are sums of several amounts, each of which is within 256 bits. */
const tooLarge = (event: AltTapeEvent): BadData | undefined => {
  const field = Object.entries(event).find(([, value]) => typeof value === 'bigint' && !isWithin256Bits(value))
  return field && bad('amount_too_large', `${field[0]} of a ${event.type} has more than 256 bits`)
}

/** Appends the transaction's events and dead letters to `into`; false if no parsed log is of the launchpad or of a known router. */
const decodeTransaction = (tx: AltTransaction, frame: FrameScope, into: DecodedFrame<AltTapeEvent>): boolean => {
  const logs = logsOf(tx, frame)
  into.deadLetters.push(...logs.deadLetters)
  const scope: TransactionScope = { ...logs, tx, launchpad: frame.launchpad, moves: logs.own.flatMap(moveOf) }
  for (const one of logs.own) {
    const event = TO_TAPE[one.abi.name](one, scope)
    const failure = event.ok ? event.value && tooLarge(event.value) : event
    if (failure) into.deadLetters.push(deadLetterOf(frame.number, tx, one.log, failure))
    else if (event.ok && event.value) into.events.push(event.value)
  }
  return logs.own.length > 0
}

/** The body; bad data (bad_frame) if an index in it does not fit a position. */
const checkedBody = (frame: RawFrame): Parsed<AltFrameBody> => {
  const body = openBody(frame)
  if (!body.ok) return body
  for (const { index, logs } of body.value.transactions) {
    const outOfRange = logs.find((log) => !isIndex(index) || !isIndex(log.index))
    if (outOfRange) return bad('bad_frame', `log ${outOfRange.index} of transaction ${index}: an index is not between 0 and ${INDEX_MAX}`)
  }
  return body
}

/**
 * Decodes a frame whose parts are joined. Total: it returns for any bytes; a log of the launchpad that cannot be parsed becomes a dead
 * letter, and the rest is decoded. Events of curves and tokens that no factory announced are skipped; `rows` has the curves and tokens
 * that earlier frames announced.
 */
export const decodeFrameOf =
  (launchpad: Launchpad) =>
  (frame: RawFrame, rows?: ReadRows<AltDecodeRows>): DecodedFrame<AltTapeEvent> => {
    const body = checkedBody(frame)
    if (!body.ok) {
      const { code, reason } = body
      const deadLetter = { at: tickOf('alt', frame.number), code, reason, signature: null, bytes: frame.body }
      return { events: [], deadLetters: [deadLetter], launchpadTransactions: null, launchpadFailed: null }
    }
    const scope: FrameScope = { number: frame.number, launchpad, contracts: new Contracts(rows), seen: new Set() }
    const decoded: DecodedFrame<AltTapeEvent> = { events: [], deadLetters: [], launchpadTransactions: null, launchpadFailed: null }
    let launchpadTransactions = 0
    for (const tx of body.value.transactions) if (decodeTransaction(tx, scope, decoded)) launchpadTransactions++
    decoded.events.sort(comparePositions)
    return { ...decoded, launchpadTransactions }
  }

/** Counts no failed transactions: they have no logs, so frames do not contain them. */
export const countBody = (frame: RawFrame): Parsed<CountedBody> => {
  const body = openBody(frame)
  if (!body.ok) return body
  const transactions = body.value.transactions.map(() => ({ failed: false }))
  return good({ transactions, transfers: [], failedOthers: 0, transactionsTotal: transactions.length })
}
