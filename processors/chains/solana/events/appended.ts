// Bytes that a program appended behind the newest known layout of an event. The end of trades is computed, without parsing them again.
import type { FoundEvent } from './found.ts'
import { findLayout } from './layouts.ts'
import { readEvent } from './read-event.ts'

/** Offsets and lengths with the discriminator, as in pump-trade.ts and amm-trade.ts; of BuyEvent and TradeEvent behind ix_name. */
const TRADE_NAME = 258
const TRADE_AFTER_NAME = 33
const SHAREHOLDER_BYTES = 34
const TRADE_AFTER_SHAREHOLDERS = 80
const BUY_NAME = 401
const BUY_AFTER_NAME = 81
const SELL_BYTES = 441

const afterText = (bytes: Buffer, at: number): number =>
  bytes.length < at + 4 ? Number.POSITIVE_INFINITY : at + 4 + bytes.readUInt32LE(at)

const endOfTrade = (bytes: Buffer): number => {
  const shareholders = afterText(bytes, TRADE_NAME) + TRADE_AFTER_NAME
  if (bytes.length < shareholders + 4) return Number.POSITIVE_INFINITY
  return shareholders + 4 + bytes.readUInt32LE(shareholders) * SHAREHOLDER_BYTES + TRADE_AFTER_SHAREHOLDERS
}

const ENDS: Readonly<Record<string, (bytes: Buffer) => number>> = {
  TradeEvent: endOfTrade,
  BuyEvent: (bytes) => afterText(bytes, BUY_NAME) + BUY_AFTER_NAME,
  SellEvent: () => SELL_BYTES,
}

/** Name of the event and number of its appended bytes; undefined where there are none. The event can be parsed. */
export const appendedTo = ({
  program,
  bytes,
}: Pick<FoundEvent, 'program' | 'bytes'>): readonly [event: string, bytes: number] | undefined => {
  const layout = findLayout(program, bytes.toString('hex', 0, 8))
  if (layout === undefined) return undefined
  const appended = bytes.length - (ENDS[layout.event] ?? endByParsing(program, layout.fields.length))(bytes)
  return appended > 0 ? [`${program}.${layout.event}`, appended] : undefined
}

const endByParsing =
  (program: FoundEvent['program'], fields: number) =>
  (bytes: Buffer): number => {
    const read = readEvent(program, bytes)
    return read.ok && read.value.fields.size === fields ? bytes.length - read.value.tail.length : bytes.length
  }
