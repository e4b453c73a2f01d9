// Amounts beyond 2^53 from the chain to the history: on the tape, in the folds, in ClickHouse; and rebuilds of logs whose
// older decoder wrote such trades as dead letters.
import type avro from 'avsc'
import { createDecoder, type DecodedFrame } from '../../processors/chains/decoder.ts'
import { decodeFrame } from '../../processors/chains/solana/decode-frame.ts'
import { countBody } from '../../processors/chains/solana/frame.ts'
import { readSource } from '../../schemas/avro.ts'
import { keyText } from '../../schemas/keys.ts'
import type { PoolTrade, RawFrame, TapeBatch, TapeEvent } from '../../schemas/types.ts'
import { stateTypeOf } from '../../topology/engine/rows/state-type.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import type { Topology } from '../../topology/topology.ts'
import { contentsOf, foldAll, marketBodies } from '../fixtures/rebuild-market.ts'
import { appendRaw, appendTape } from '../live.ts'
import { framesOf, open } from '../unit/processors/solana/fixtures.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories, sinkAll } from './sink-given.ts'

const TIMEOUT_MS = 120_000
const RESERVE = 344_034_375_969_831_999n
const buyFrames = (): RawFrame[] => framesOf(open('tx/amm_buy-5bvyp1no.json.gz'))
const decoded = (): TapeEvent[] => buyFrames().flatMap((frame) => decodeFrame(frame).events)
const isLarge = (event: TapeEvent): boolean => Object.values(event).some((value) => typeof value === 'bigint')

test('the real trade in a pool of 3.4e17 coins is on the tape, exact, and explains the balances of user and pool', () => {
  const frames = buyFrames().map(decodeFrame)
  expect(frames.flatMap(({ deadLetters }) => deadLetters)).toEqual([])
  const [trade] = decoded().filter(isLarge)
  expect(trade).toMatchObject({ type: 'poolTrade', poolTokenUnits: RESERVE })
  // The rest is the fee that the pool's program takes in the coin.
  const owners = decoded().flatMap((event) => (event.type === 'balance' ? [event.owner] : []))
  expect(owners).toHaveLength(1)
  expect([(trade as PoolTrade).user, (trade as PoolTrade).pool]).not.toContain(owners[0])
})

/** The wiring with decoder version 3, which makes amounts beyond 2^53 dead letters, and the mint rows of that version. */
const olderWiring = (): Topology => ({
  ...LAUNCH_RISK,
  decode: (partitions) => {
    const task = LAUNCH_RISK.decode(partitions)
    const decode = (frame: RawFrame): DecodedFrame<TapeEvent> => {
      const { events, deadLetters, ...counts } = decodeFrame(frame)
      const letters = events.filter(isLarge).map(({ tx, outer, inner, signature }) => ({
        at: { chain: frame.chain, number: frame.number, tx, outer, inner },
        code: 'amount_too_large' as const,
        reason: 'poolTrade.poolTokenUnits is beyond 2^53',
        signature,
        bytes: Buffer.of(1),
      }))
      return { ...counts, events: events.filter((one) => !isLarge(one)), deadLetters: [...deadLetters, ...letters] }
    }
    const { processor } = createDecoder({ name: 'decode-solana', version: 3 }, { decode, count: countBody })
    return { ...task, folds: task.folds.map((fold) => ({ ...fold, processor: { ...fold.processor, ...processor } })) }
  },
  folds: (partitions) => {
    const task = LAUNCH_RISK.folds(partitions)
    const source = readSource('mint-state') as avro.Schema
    const state = stateTypeOf(source)
    const folds = task.folds.map((fold) => {
      if (fold.processor.name !== 'mint') return fold
      return { ...fold, state, processor: { ...fold.processor, version: fold.processor.version - 1 } }
    })
    return { ...task, folds }
  },
})

const logOf = async (topology: Topology): Promise<Log> => {
  const log = createMemoryLog({ partitions: 2 })
  await appendRaw(log, [...buyFrames(), ...marketBodies(40, 9)], 1)
  await foldAll(log, topology)
  return log
}

test(
  'a rebuild of a log that has the trade as a dead letter puts it on the tape and keeps the flags and outcomes',
  async () => {
    const log = await logOf(olderWiring())
    const refused = await contentsOf(log, { mints: mintsBefore() })
    expect(refused.letters).toHaveLength(1)
    await foldAll(log, LAUNCH_RISK)
    const rebuilt = await contentsOf(log)
    const expected = await contentsOf(await logOf(LAUNCH_RISK))
    for (const name of Object.keys(expected)) expect([name, rebuilt[name]]).toEqual([name, expected[name]])
    expect(rebuilt).toMatchObject({ letters: [], flags: refused.flags, outcomes: refused.outcomes })
    expect(rebuilt.tape).not.toEqual(refused.tape)
    expect(rebuilt.mints?.length).toBeGreaterThan(10)
  },
  TIMEOUT_MS,
)

const mintsBefore = () => {
  const source = readSource('mint-state') as avro.Schema
  return stateTypeOf(source)
}

describeEngine('the history', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories({ views: false })
  })
  afterAll(() => given.remove())

  test(
    'stores amounts of 59, 64, 128 and 255 bits exactly as on the tape',
    async () => {
      const [trade] = decoded().filter(isLarge) as PoolTrade[]
      if (trade === undefined) throw new Error('no trade')
      const large = (tx: number, change: Partial<PoolTrade>): PoolTrade => ({ ...trade, tx, ...change })
      const events = [
        trade,
        large(trade.tx + 1, { quoteUnits: 2n ** 64n - 1n, virtualQuoteUnits: -(2n ** 127n) }),
        large(trade.tx + 2, { tokenUnits: 2n ** 255n - 1n, poolFeeUnits: 2n ** 128n, virtualQuoteUnits: null }),
      ]
      const log = createMemoryLog({ partitions: 1 })
      await appendTape(log, [batchOf(events)])
      const client = await given.lent()
      await sinkAll(log, client)
      const rows = await client.rows(`SELECT mint, ${COLUMNS.map(([name]) => `toString(${name}) AS ${name}`).join(', ')}
        FROM ${client.database}.pool_trades ORDER BY tx_index`)
      const text = (value: unknown): string | null => (value === null ? null : String(value))
      expect(rows).toEqual(
        events.map((event) => ({
          mint: keyText(event.mint),
          ...Object.fromEntries(COLUMNS.map(([name, field]) => [name, text(event[field])])),
        })),
      )
    },
    TIMEOUT_MS,
  )
})

const COLUMNS = [
  ['token_units', 'tokenUnits'],
  ['quote_units', 'quoteUnits'],
  ['user_quote_units', 'userQuoteUnits'],
  ['pool_token_units', 'poolTokenUnits'],
  ['pool_quote_units', 'poolQuoteUnits'],
  ['virtual_quote_units', 'virtualQuoteUnits'],
  ['pool_fee_units', 'poolFeeUnits'],
] as const satisfies readonly (readonly [string, keyof PoolTrade])[]

const batchOf = (events: TapeEvent[]): TapeBatch => ({
  type: 'batch',
  ...{ chain: 'solana', number: 376_243_586, hash8: 'abcdefgh', sequence: 1, time: 1_762_000_000, gapFrom: null, gapTo: null },
  ...{ vouched: false, final: true, placed: true, launchpadTransactions: 1, launchpadFailed: 0, events },
})
