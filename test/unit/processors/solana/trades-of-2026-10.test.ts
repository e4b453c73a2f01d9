// Trades as the programs make them since October 2026. See test/data/solana/trades-2026-10/PROVENANCE.md.
import { gunzipSync } from 'node:zlib'
import { PublicKey } from '@solana/web3.js'
import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { linesOfFile } from '../../../../processors/chains/solana/decode-lines.ts'
import { findEvents } from '../../../../processors/chains/solana/events/find-events.ts'
import { readTransaction } from '../../../../processors/chains/solana/events/read-transaction.ts'
import { MAYHEM_AGENT } from '../../../../processors/chains/solana/programs.ts'
import { toBase58 } from '../../../../schemas/keys.ts'
import type { FrameTransaction, InnerInstruction, PoolTrade, TapeEvent } from '../../../../schemas/types.ts'
import { framesOf, frameTransaction, openJson, readData } from './fixtures.ts'

const DATA = 'trades-2026-10'
const linesOf = (name: string): Record<string, unknown>[] =>
  gunzipSync(readData(`${DATA}/${name}.gz`))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const decoded = (...jsons: unknown[]) => {
  const frames = jsons.flatMap((json) => framesOf(openJson(json)).map(decodeFrame))
  return { events: frames.flatMap(({ events }) => events), deadLetters: frames.flatMap(({ deadLetters }) => deadLetters) }
}
const isPoolTrade = (event: TapeEvent): event is PoolTrade => event.type === 'poolTrade'

type Meta = { innerInstructions: unknown; logMessages: unknown }
const isTagAlone = ({ data }: InnerInstruction): boolean => Buffer.from(data).toString('hex') === 'e445a52e51cb9a1d'
const withMeta = (json: Record<string, unknown>, meta: Partial<Meta>) => ({ ...json, meta: { ...(json.meta as Meta), ...meta } })

describe('multi_hop_swap', () => {
  test('a pool traded twice in one transaction has both trades, and its reserves continue', () => {
    const { events, deadLetters } = decoded(...linesOf('sell_v2+multi_hop_swap.json'))
    const [first, second] = events.filter(isPoolTrade)
    expect(deadLetters).toEqual([])
    expect(second).toMatchObject({ mint: first?.mint, pool: first?.pool, coinIsBase: true, quoteMint: null, isBuy: false })
    expect(second?.poolTokenUnits).toBe(Number(first?.poolTokenUnits) + Number(first?.tokenUnits))
  })

  test('a route over a pool and a curve has a trade of each', () => {
    const { events, deadLetters } = decoded(...linesOf('multi_hop_swap-g1fC9wYK.json'))
    expect(deadLetters).toEqual([])
    expect(events.filter(({ type }) => type !== 'transfer').map(({ type }) => type)).toMatchObject(['launch', 'poolTrade', 'trade'])
  })

  test('every trade of the local bank is on the tape, although its token balances are made up or missing', () => {
    const bank = linesOf('local-bank.jsonl')
    const { events, deadLetters } = decoded(...bank)
    const lines = bank.flatMap((json) => [...linesOfFile(openJson(json))])
    const trades = lines.filter((line) => 'event' in line && ['TradeEvent', 'BuyEvent', 'SellEvent'].includes(line.event))
    expect(deadLetters).toEqual([])
    expect(lines.filter((line) => 'error' in line)).toEqual([])
    expect([trades.length, events.filter(({ type }) => type === 'trade' || type === 'poolTrade').length]).toEqual([20, 20])
  })

  test('a call of the event tag alone is an instruction with three accounts, and a cut event with the event authority alone', () => {
    const events = linesOf('local-bank.jsonl').map((json) => frameTransaction(openJson(json)))
    const route = events.find(({ inner }) => inner?.some(isTagAlone)) as FrameTransaction
    const found = findEvents(route).events.length
    const inner = route.inner?.map((call) => (isTagAlone(call) ? { ...call, accounts: call.accounts.subarray(0, 1) } : call)) ?? null
    expect(findEvents({ ...route, inner }).events.length).toBe(found + 1)
  })

  test('a route without one of its events names the coins of all its hops', () => {
    const [route = {}] = linesOf('multi_hop_swap-g1fC9wYK.json')
    const tx = frameTransaction(openJson(route))
    const { decoded: events } = readTransaction(tx)
    const trade = events.find(({ event }) => event?.type === 'trade')
    const inner = tx.inner?.filter((call) => trade === undefined || !Buffer.from(call.data).subarray(8).equals(trade.found.bytes)) ?? null
    const { silent } = readTransaction({ ...tx, inner })
    expect(silent).toMatchObject([{ call: 'multi_hop_swap', mints: [expect.any(String), expect.any(String)] }])
    expect(readTransaction(tx).silent).toEqual([])
  })

  test('a migrate_v2 of a curve that has migrated already emits nothing, and nothing is missing', () => {
    expect(decoded(...linesOf('migrate_v2-82r2mVKL.json'))).toEqual({ events: [], deadLetters: [] })
  })

  test('without calls and log it may have migrated', () => {
    const unrecorded = linesOf('migrate_v2-82r2mVKL.json').map((json) => withMeta(json, { innerInstructions: null, logMessages: [] }))
    expect(decoded(...unrecorded).deadLetters.map(({ code }) => code)).toEqual(['event_missing'])
  })

  test('without the calls the log gives the same trades', () => {
    const names = ['sell_v2+multi_hop_swap.json', 'multi_hop_swap-g1fC9wYK.json', 'local-bank.jsonl']
    const logged = names.flatMap(linesOf).filter((json) => ((json.meta as Meta).logMessages as string[]).length > 0)
    const tradesOf = (json: object) =>
      decoded(json).events.flatMap((event) => (event.type === 'trade' || event.type === 'poolTrade' ? [{ ...event, inner: null }] : []))
    expect(logged.map((json) => tradesOf(withMeta(json, { innerInstructions: null })))).toEqual(logged.map(tradesOf))
    expect(logged.flatMap(tradesOf).length).toBe(22)
  })
})

describe('trades of the launchpad itself', () => {
  const [boost] = linesOf('boost_buy_and_burn-LK86c649.json')

  test('the buy of boost_buy_and_burn is its own, and no balance names the vault', () => {
    const { events, deadLetters } = decoded(boost)
    expect(deadLetters).toEqual([])
    expect(events).toMatchObject([{ type: 'poolTrade', isBuy: true, isAgent: true, tokenUnits: 166_548_315_802 }, { type: 'poolBoost' }])
  })

  test('a trade of a wallet in a boosted pool is not', () => {
    expect(
      decoded(...linesOf('sell_v2+multi_hop_swap.json'))
        .events.filter(isPoolTrade)
        .map(({ isAgent }) => isAgent),
    ).toEqual([false, false])
  })

  test('the mayhem agent is the address that the mayhem program derives from sol-vault', () => {
    const [agent] = PublicKey.findProgramAddressSync(
      [Buffer.from('sol-vault')],
      new PublicKey('MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e'),
    )
    expect(toBase58(MAYHEM_AGENT)).toBe(agent.toBase58())
  })
})
