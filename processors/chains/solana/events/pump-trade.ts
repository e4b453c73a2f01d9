// Converts TradeEvent, the curve program's most frequent event, to the tape. Reads each field at its offset in the event: its
// offset in the layout (`layouts.ts`) plus 8, the length of the discriminator.
import { bad, type Parsed } from '../../../../schemas/errors.ts'
import type { FrameTransaction, Trade } from '../../../../schemas/types.ts'
import { MAYHEM_AGENT, quoteOf, ZERO_KEY } from '../programs.ts'
import type { FoundEvent } from './found.ts'
import { badBool, checkAmounts, endOfString, headOf, readAmount, readI64, readKey } from './tape-read.ts'

const MINT = 8
const SOL_AMOUNT = 40
const TOKEN_AMOUNT = 48
const IS_BUY = 56
const USER = 57
const TIMESTAMP = 89
const VIRTUAL_SOL = 97
const VIRTUAL_TOKEN = 105
/** Gn_BYTES: length of an event of generation n of the layout; `layouts.ts` has the generations. */
const G0_BYTES = 113
const REAL_SOL = 113
const REAL_TOKEN = 121
const G1_BYTES = 129
const FEE = 169
const CREATOR = 177
const CREATOR_FEE = 217
const G2_BYTES = 225
const TRACK_VOLUME = 225
const G3_BYTES = 258
const IX_NAME = 258
const KEY_BYTES = 32
const SHAREHOLDER_BYTES = 34

/** The fields after ix_name, whose offsets depend on the lengths of ix_name and shareholders. */
interface VariablePart {
  readonly layout: string
  readonly mayhem: boolean
  /** Offset of quote_mint; undefined where the layout has none. */
  readonly quoteAt: number | undefined
}

const layoutWithoutName = (size: number): string => (size < G1_BYTES ? 'G0' : size < G2_BYTES ? 'G1' : size < G3_BYTES ? 'G2' : 'G3')

const readVariablePart = (bytes: Buffer): Parsed<VariablePart> => {
  const size = bytes.length
  const none = { ok: true, value: { layout: layoutWithoutName(size), mayhem: false, quoteAt: undefined } } as const
  const mayhemAt = endOfString(bytes, IX_NAME, 'TradeEvent.ix_name')
  if (mayhemAt === undefined || mayhemAt === size) return none
  if (typeof mayhemAt !== 'number') return mayhemAt
  const wrong = badBool(bytes, mayhemAt, 'TradeEvent.mayhem_mode')
  if (wrong) return wrong
  const mayhem = bytes[mayhemAt] === 1
  const cashbackEnd = mayhemAt + 17
  const buybackEnd = cashbackEnd + 16
  const short = size < cashbackEnd ? 'G3' : size < buybackEnd ? 'G4' : 'G5'
  if (size < buybackEnd + 4) return { ok: true, value: { layout: short, mayhem, quoteAt: undefined } }
  const quoteAt = buybackEnd + 4 + bytes.readUInt32LE(buybackEnd) * SHAREHOLDER_BYTES
  if (quoteAt > size) return bad('bad_string_length', `TradeEvent.shareholders ends ${quoteAt - size} bytes past the end of the event`)
  const quoteEnd = quoteAt + KEY_BYTES + 24
  const layout = size < quoteEnd ? 'G5' : size < quoteEnd + 16 ? 'G6' : size < quoteEnd + 24 ? 'G7' : 'G8'
  return { ok: true, value: { layout, mayhem, quoteAt: size < quoteAt + KEY_BYTES ? undefined : quoteAt } }
}

/** A trade on the curve. With a quote other than SOL the SOL fields are zero, so the quote fields are read. */
export const readTrade = (found: FoundEvent, tx: FrameTransaction): Parsed<Trade> => {
  const { bytes } = found
  const size = bytes.length
  if (size < G0_BYTES) return bad('truncated', `TradeEvent has ${size} bytes, fewer than its oldest layout`)
  const wrong =
    badBool(bytes, IS_BUY, 'TradeEvent.is_buy') ??
    (size > TRACK_VOLUME ? badBool(bytes, TRACK_VOLUME, 'TradeEvent.track_volume') : undefined)
  if (wrong) return wrong
  const variable = readVariablePart(bytes)
  if (!variable.ok) return variable
  const { layout, mayhem, quoteAt } = variable.value
  const quoteMint = quoteOf(quoteAt === undefined ? ZERO_KEY : readKey(bytes, quoteAt))
  if (quoteMint !== null && (quoteAt as number) + KEY_BYTES + 24 > size)
    return bad('truncated', 'TradeEvent has a quote mint but ends before the amounts in that quote')
  const amounts = (quoteAt ?? 0) + KEY_BYTES
  const hasReal = size >= G1_BYTES
  const hasFees = size >= G2_BYTES
  const user = readKey(bytes, USER)
  return checkAmounts({
    type: 'trade',
    ...headOf(found, tx),
    mint: readKey(bytes, MINT),
    timestamp: readI64(bytes, TIMESTAMP),
    user,
    isBuy: bytes[IS_BUY] === 1,
    isAgent: user === MAYHEM_AGENT,
    mayhem,
    quoteMint,
    tokenUnits: readAmount(bytes, TOKEN_AMOUNT),
    quoteUnits: readAmount(bytes, quoteMint === null ? SOL_AMOUNT : amounts),
    feeUnits: hasFees ? readAmount(bytes, FEE) : null,
    creatorFeeUnits: hasFees ? readAmount(bytes, CREATOR_FEE) : null,
    virtualQuoteUnits: readAmount(bytes, quoteMint === null ? VIRTUAL_SOL : amounts + 8),
    virtualTokenUnits: readAmount(bytes, VIRTUAL_TOKEN),
    realQuoteUnits: hasReal ? readAmount(bytes, quoteMint === null ? REAL_SOL : amounts + 16) : null,
    realTokenUnits: hasReal ? readAmount(bytes, REAL_TOKEN) : null,
    creator: hasFees ? readKey(bytes, CREATOR) : null,
    layout,
  })
}
