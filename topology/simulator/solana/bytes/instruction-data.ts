// Encodes the data of top-level instructions: discriminator and arguments, as wallets and bots send them.
import { createHash } from 'node:crypto'
import { assert } from '../../../../schemas/errors.ts'
import { type Key, toBytes } from '../../../../schemas/keys.ts'
import type { DemoEvent, LaunchpadInstruction } from '../market-types.ts'
import { writeU64 } from './event-bytes.ts'
import { liquidityUnits } from './pool-events.ts'

const discriminators = new Map<string, Buffer>()
/** First 8 bytes of sha256("global:" + name). The prefix `amm_` is ours: the two programs share names. */
const discriminatorOf = (name: LaunchpadInstruction): Buffer => {
  const bare = name.replace(/^amm_/, '')
  let bytes = discriminators.get(bare)
  if (bytes === undefined) {
    bytes = createHash('sha256').update(`global:${bare}`).digest().subarray(0, 8)
    discriminators.set(bare, bytes)
  }
  return bytes
}

const u64s = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(8 * values.length)
  for (const [i, value] of values.entries()) writeU64(bytes, value, i * 8)
  return bytes
}
const text = (value: string): Buffer => {
  const bytes = Buffer.from(value, 'utf8')
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}
const flags = (...values: readonly boolean[]): Buffer => Buffer.from(values.map(Number))

/** Slippage that wallets allow, as a factor of the quoted price. */
const SLIPPAGE = 1.1
const atMost = (units: number): number => Math.ceil(units * SLIPPAGE)
const atLeast = (units: number): number => Math.floor(units / SLIPPAGE)
/** The optional flag `track_volume` in the programs' encoding: one byte. */
const TRACK_VOLUME = flags(true)

interface Amounts {
  readonly tokens: number
  /** What the user pays including fees, or receives after fees. */
  readonly quote: number
}

/** Sums the amounts of the trades in one instruction, including the part beyond the curve. */
const amountsOf = (events: readonly DemoEvent[]): Amounts => {
  let tokens = 0
  let quote = 0
  for (const event of events) {
    if (event.type === 'trade') {
      const fees = (event.feeUnits ?? 0) + (event.creatorFeeUnits ?? 0)
      quote += event.isBuy ? event.quoteUnits + fees : event.quoteUnits - fees
    } else if (event.type === 'postCompleteBuy') quote += event.quoteUnits
    else if (event.type === 'poolTrade') quote += event.userQuoteUnits
    else continue
    tokens += event.tokenUnits
  }
  return { tokens, quote: Math.max(0, quote) }
}

/** Amounts of a pool trade as base and quote: swapped if the coin is the quote side. */
const poolAmounts = (events: readonly DemoEvent[]): readonly [base: number, quote: number] => {
  const { tokens, quote } = amountsOf(events)
  const isTurned = events.some((event) => event.type === 'poolTrade' && !event.coinIsBase)
  return isTurned ? [quote, tokens] : [tokens, quote]
}

const createArgs = (events: readonly DemoEvent[], isV2: boolean): Buffer => {
  const launch = events.find((event) => event.type === 'launch')
  // A create that failed before it logged an event has no texts.
  if (launch?.type !== 'launch') return Buffer.concat([text(''), text(''), text(''), Buffer.alloc(32)])
  const words = [text(launch.name), text(launch.symbol), text(launch.uri), toBytes(launch.creator)]
  return Buffer.concat(isV2 ? [...words, flags(launch.mayhem, launch.cashback)] : words)
}

const liquidityArgs = (events: readonly DemoEvent[]): Buffer => {
  const event = events.find(({ type }) => type === 'poolLiquidity')
  if (event?.type !== 'poolLiquidity') return u64s(0, 0, 0)
  const amounts = event.coinIsBase ? [event.tokenUnits, event.quoteUnits] : [event.quoteUnits, event.tokenUnits]
  return u64s(liquidityUnits(event), ...amounts)
}

/** What goes into the first trade, and the least that comes out of the last one. */
const routeArgs = (events: readonly DemoEvent[]): Buffer => {
  const [first, last] = [amountsOf(events.slice(0, 1)), amountsOf(events.slice(-1))]
  return u64s(first.tokens, atLeast(last.tokens))
}

const argsOf = (name: LaunchpadInstruction, user: Key, events: readonly DemoEvent[]): Buffer => {
  const { tokens, quote } = amountsOf(events)
  const [base, other] = poolAmounts(events)
  switch (name) {
    case 'create':
    case 'create_v2':
      return createArgs(events, name === 'create_v2')
    case 'buy':
      return Buffer.concat([u64s(tokens, atMost(quote)), TRACK_VOLUME])
    case 'buy_exact_sol_in':
      return Buffer.concat([u64s(quote, atLeast(tokens)), TRACK_VOLUME])
    case 'buy_v2':
      return u64s(tokens, atMost(quote))
    case 'sell':
    case 'sell_v2':
      return u64s(tokens, atLeast(quote))
    case 'amm_buy':
      return Buffer.concat([u64s(base, atMost(other)), TRACK_VOLUME])
    case 'amm_sell':
      return u64s(base, atLeast(other))
    case 'amm_boost_buy_and_burn':
      return u64s(other, atLeast(base))
    case 'amm_multi_hop_swap':
      return routeArgs(events)
    case 'amm_deposit':
    case 'amm_withdraw':
      return liquidityArgs(events)
    case 'set_creator': {
      const change = events.find(({ type }) => type === 'creatorChange')
      return toBytes(change?.type === 'creatorChange' ? change.creator : user)
    }
    case 'migrate_v2':
    case 'set_mayhem_virtual_params':
      return Buffer.alloc(0)
  }
}

/** Bytes of an instruction's data. */
export const instructionData = (name: LaunchpadInstruction, user: Key, events: readonly DemoEvent[]): Buffer => {
  const args = argsOf(name, user, events)
  assert(args.length < 1_232, `${name} has ${args.length} bytes of arguments, more than fit into a transaction`)
  return Buffer.concat([discriminatorOf(name), args])
}
