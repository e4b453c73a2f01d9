import { decodeFrame } from '../../../processors/chains/solana/decode-frame.ts'
import { readEvent } from '../../../processors/chains/solana/events/read-event.ts'
import { openBody } from '../../../processors/chains/solana/frame.ts'
import { MAYHEM_AGENT, PUMP, PUMP_AMM, WSOL } from '../../../processors/chains/solana/programs.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { FrameBody, FrameTransaction, RawFrame } from '../../../schemas/types.ts'
import { COINS_MAX, CoinBook } from '../../../topology/simulator/solana/bytes/coins.ts'
import { eventBytes } from '../../../topology/simulator/solana/bytes/event-bytes.ts'
import { frameOf, tapeEventsOf } from '../../../topology/simulator/solana/bytes.ts'
import { tinyMarket } from '../../fixtures/demo-bytes-market.ts'
import { key, SUPPLY_UNITS, USDC } from '../../fixtures/demo-bytes-story.ts'

const slots = [...tinyMarket(1_790_000_000_000, 2)]
const framesOf = (): RawFrame[] => {
  const book = new CoinBook()
  return slots.map((slot) => frameOf(slot, book))
}
const frames = framesOf()
const bodyOf = (frame: RawFrame): FrameBody => {
  const body = openBody(frame)
  if (!body.ok) throw new Error(body.reason)
  return body.value
}
const transactions = frames.flatMap((frame) => bodyOf(frame).transactions)
const succeeded = transactions.filter(({ failed }) => !failed)

const sum = (changes: readonly { readonly before: string; readonly after: string }[]): number =>
  changes.reduce((total, { before, after }) => total + Number(after) - Number(before), 0)
const tops = (tx: FrameTransaction): string[] =>
  tx.instructions.map(({ program, data }) => {
    const name = tx.keys[program] === PUMP ? 'pump' : tx.keys[program] === PUMP_AMM ? 'amm' : 'other'
    return `${name}:${Buffer.from(data).toString('hex', 0, 8)}`
  })

/** Units that calls of the token programs burn. */
const burntIn = ({ inner }: FrameTransaction): number =>
  (inner ?? [])
    .filter(({ data }) => data.length === 9 && data[0] === 8)
    .reduce((total, { data }) => total + Number(Buffer.from(data).readBigUInt64LE(1)), 0)

describe('bytes of the demo', () => {
  test('decode to the tape of their slot, without dead letters', () => {
    const kinds = new Set<string>()
    for (const [i, slot] of slots.entries()) {
      const { events, deadLetters } = decodeFrame(frames[i] as RawFrame)
      expect(deadLetters).toEqual([])
      expect(events).toEqual(tapeEventsOf(slot))
      for (const { type } of events) kinds.add(type)
    }
    expect([...kinds].sort()).toEqual(
      'balance complete creatorChange launch mayhemReserves migrate poolBoost poolCreate poolLiquidity poolTrade postCompleteBuy trade transfer'.split(
        ' ',
      ),
    )
  })
  test('are the same for the same slots', () => {
    expect(framesOf()).toEqual(frames)
  })
  test('balance in each transaction: lamports up to the fee, coins and quotes up to mints', () => {
    for (const tx of succeeded) {
      expect(sum(tx.lamports)).toBe(-tx.feeLamports)
      const isLaunch = tops(tx).some((top) => top.endsWith('1ec828051c0777') || top.endsWith('4cec5f8b31b4'))
      const minted = !isLaunch ? 0 : tx.tokens.some(({ owner }) => owner === MAYHEM_AGENT) ? 2 * SUPPLY_UNITS : SUPPLY_UNITS
      // Wrapped SOL enters and leaves as lamports.
      for (const mint of new Set(tx.tokens.map((token) => token.mint).filter((one) => one !== WSOL)))
        expect(sum(tx.tokens.filter((token) => token.mint === mint))).toBe(mint === USDC ? 0 : minted - burntIn(tx))
    }
  })
  test('leave no balance negative', () => {
    for (const tx of transactions)
      for (const { before, after } of [...tx.lamports, ...tx.tokens]) {
        expect(Number(before)).toBeGreaterThanOrEqual(0)
        expect(Number(after)).toBeGreaterThanOrEqual(0)
      }
  })
  test('keep the calls and the fee of a failed transaction, and no other effect', () => {
    const failed = transactions.filter((tx) => tx.failed)
    expect(failed.length).toBeGreaterThan(20)
    for (const tx of failed) {
      expect(tx.failedCode).toBe(6002)
      expect(tx.tokens).toEqual([])
      expect(tx.lamports.map(({ account }) => account)).toEqual([0])
      expect(sum(tx.lamports)).toBe(-tx.feeLamports)
      expect(tx.inner?.length).toBeGreaterThan(0)
    }
  })
  test('give instructions the discriminators of the chain', () => {
    const seen = new Set(transactions.flatMap(tops))
    const pump = '181ec828051c0777 d6904cec5f8b31b4 66063d1201daebea 33e685a4017f83ad 38fc74089edfcd5f b817ee6167c5d33d 5df6823ce7e940b2'
    const rare = 'bbcb121fceedfe29 fe94ff70cf8eaaa5 3da9bcbf99952a61'
    const amm = '66063d1201daebea 33e685a4017f83ad f223c68952e1f2b6 b712469c946da122 694406af000723a2 2b644913e9f66f94'
    expect([...seen].sort()).toEqual(
      [...`${pump} ${rare}`.split(' ').map((hex) => `pump:${hex}`), ...amm.split(' ').map((hex) => `amm:${hex}`)].sort(),
    )
  })
  test('give events the lengths of recorded ones of the newest layouts', () => {
    const lengths = new Map<string, Set<number>>()
    for (const { inner, keys } of transactions)
      for (const { program, data } of inner ?? []) {
        const read = readEvent(keys[program] === PUMP ? 'pump' : 'pump_amm', Buffer.from(data).subarray(8))
        if (!read.ok) continue
        const { event, fields, tail, layout } = read.value
        const text = String(fields.get('ix_name') ?? '')
        expect(tail).toHaveLength(0)
        const name = event === 'CreateEvent' || event === 'TradeEvent' ? `${event} ${layout}` : event
        lengths.set(name, (lengths.get(name) ?? new Set()).add(data.length - 8 - text.length))
      }
    // Bytes of recorded events, with the discriminator and without the instruction's name.
    const curve = { 'TradeEvent G8': 379, CompleteEvent: 144, CompletePumpAmmMigrationEvent: 200, PostCompleteBuyEvent: 232 }
    const pool = { BuyEvent: 486, SellEvent: 441, DepositEvent: 256, WithdrawEvent: 256, CreatePoolEvent: 344 }
    const boosts = { InitBoostEvent: 136, BoostBuyAndBurnEvent: 208 }
    for (const [name, length] of Object.entries({ ...curve, ...pool, ...boosts }))
      expect([name, ...(lengths.get(name) ?? [])]).toEqual([name, length])
  })
  test('list the accounts of a buy in the positions of recorded buys', () => {
    const buy = succeeded.find((tx) => tops(tx)[1] === 'pump:66063d1201daebea') as FrameTransaction
    const accounts = [...(buy.instructions[1]?.accounts ?? [])].map((i) => toBase58(buy.keys[i] ?? key('none')))
    expect(accounts).toHaveLength(18)
    expect(accounts[0]).toBe('4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf')
    expect(accounts[7]).toBe('11111111111111111111111111111111')
    expect(accounts[10]).toBe('Ce6TQqeHC9p8KetsN6JsjHK7UTZk7nasjjnr7XxXp9F1')
    expect(accounts[15]).toBe('pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ')
    expect(buy.instructions[1]?.data).toHaveLength(25)
  })
  test('omit lost transactions from frame and tape, although they took effect', () => {
    const all = new CoinBook()
    const lossy = new CoinBook()
    for (const slot of slots) {
      frameOf(slot, all)
      const frame = frameOf(slot, lossy, ({ index }) => index === 3)
      expect(decodeFrame(frame).events).toEqual([])
      expect(tapeEventsOf(slot, ({ index }) => index === 3)).toEqual([])
    }
    const mint = key('plain0/mint')
    expect(lossy.find(mint)).toEqual(all.find(mint))
  })
  test('keep transfers of SOL, and transfers of coins change their holders', () => {
    const transfers = frames.flatMap((frame) => bodyOf(frame).transfers)
    expect(transfers[0]?.amountLamports).toBe('2000000000')
    const book = new CoinBook()
    for (const slot of slots) book.follow(slot)
    expect(book.find(key('plain0/mint'))?.balances.get(key('friend'))).toBe(3_000_000_000)
  })
  test('leave the same state whether slots are followed or their frames built', () => {
    const followed = new CoinBook()
    const built = new CoinBook()
    for (const slot of slots) {
      followed.follow(slot)
      frameOf(slot, built)
      for (const mint of ['plain0/mint', 'usdc1/mint', 'mayhem0/mint'].map(key)) expect(built.find(mint)).toEqual(followed.find(mint))
    }
  })
  test('evict the coins inactive for longest beyond the coin limit', () => {
    const book = new CoinBook()
    const [launch] = tapeEventsOf(slots[0] as (typeof slots)[number])
    if (launch?.type !== 'launch') throw new Error('the first slot must launch')
    for (let i = 0; i <= COINS_MAX; i++) book.apply({ ...launch, mint: key(String(i)) })
    expect(book.size).toBe(COINS_MAX)
    expect(book.find(key('0'))).toBeUndefined()
    expect(book.find(key('1'))).toBeDefined()
  })
  test('are refused for a value that their layout lacks', () => {
    expect(() => eventBytes('pump', 'CompleteEvent', { usr: 'x' })).toThrow('has no field')
    expect(() => eventBytes('pump', 'NoEvent', {})).toThrow('has no event')
  })
})
