// Two `serve` processes of one shop with their payments in one Redis: a payment is one sale, wherever it and its copies arrive.
import { get, receiptIn } from '../../../topology/cli/commands/buy/buyer.ts'
import { describeRedis } from '../../services/redis.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { rollShop } from '../../soak/rolling.ts'
import { LAUNCHES, TwoServers } from '../../soak/two-servers.ts'
import type { UpProcess } from '../../soak/up-process.ts'
import { describeEngine } from '../history-server-given.ts'

const PLAN = { seed: 5, rate: 6, frames: 60, partitions: 2 }
/** A tenth of the price of `LAUNCHES`. */
const PRICE_MICRO_USDC = 1_000
const COPIES = 10
const ANSWER_MS_MAX = 60_000

const send = async (server: UpProcess, header: string) => {
  const answer = await get(`${server.url}${LAUNCHES}`, { 'payment-signature': header }, AbortSignal.timeout(ANSWER_MS_MAX))
  // Of the receipt only the transaction is compared: each server signs its receipts with its own key.
  return { status: answer.status, transaction: receiptIn(answer)?.transaction }
}

describeEngine('ClickHouse and', () => {
  describeRedis('Redis and', () => {
    describeKafka('two servers of one shop', () => {
      let shop: TwoServers
      beforeAll(async () => {
        shop = await TwoServers.open(PLAN, 'max', sharedKafka())
      }, START_MS_MAX)
      afterAll(() => shop.close(), 30_000)

      test('one payment sent many times at once to both servers is one sale, and each request gets its answer', async () => {
        const [{ header }, before] = [await shop.signed(), await shop.earned()]
        const answers = await Promise.all(Array.from({ length: COPIES }, (_, n) => send(shop.servers[n % 2] as UpProcess, header)))
        expect(answers.map(({ status }) => status)).toEqual(Array(COPIES).fill(200))
        expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1)
        expect(await shop.earned()).toBe(before + PRICE_MICRO_USDC)
      })
      test('when the seller is killed after a sale, the other server returns its answer, and so does the seller after a restart', async () => {
        const [{ header }, before] = [await shop.signed(), await shop.earned()]
        const [one, two] = shop.servers as [UpProcess, UpProcess]
        const first = await send(one, header)
        expect(first.status).toBe(200)
        await one.kill()
        expect(await send(two, header)).toEqual(first)
        await shop.start(0)
        expect(await send(shop.servers[0] as UpProcess, header)).toEqual(first)
        expect(await shop.earned()).toBe(before + PRICE_MICRO_USDC)
      })
      test('after a kill during a sale the other server answers the payment, which is settled once', async () => {
        const [{ header }, before] = [await shop.signed(), await shop.earned()]
        const [one, two] = shop.servers as [UpProcess, UpProcess]
        const lost = send(one, header).catch(() => null)
        await new Promise((resolve) => setTimeout(resolve, 15))
        await one.kill()
        await lost
        const settled = await send(two, header)
        expect(settled.status).toBe(200)
        expect(await shop.earned()).toBe(before + PRICE_MICRO_USDC)
        await shop.start(0)
      })
      test('restarted in turn behind a load balancer, they fail no request, and payments and cursors go on', async () => {
        const report = await rollShop(shop, { perS: 20, paidPerS: 1, goesOn: (restarts) => restarts < 2 })
        process.stderr.write(`rolling restart: ${JSON.stringify(report)}\n`)
        const nothing = { faults: [], refused: 0, resentDiffer: [], exitCodes: [0, 0] }
        expect(report).toMatchObject({ ...nothing, earnedMicroUsdc: report.paidMicroUsdc })
        expect(report.paid).toBeGreaterThan(2)
      }, 300_000)
    })
  })
})
