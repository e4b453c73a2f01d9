// deploy/compose.yaml without containers: its commands, settings and health checks, from the image's file tree, sell an answer.
import { join } from 'node:path'
import { describeRedis, startRedis, type TestRedis } from '../../services/redis.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { givenImageTree, type ImageTree } from '../../tools/image-tree.ts'
import { until } from '../../tools/until.ts'
import { DATABASE, describeEngine, type GivenEngine, givenEngine } from '../history-server-given.ts'
import { ComposeHere, type Started } from './compose-given.ts'

const READY_MS_MAX = 300_000

describeEngine('ClickHouse and', () => {
  describeRedis('Redis and', () => {
    describeKafka('the services of compose.yaml', () => {
      let tree: ImageTree
      let engine: GivenEngine
      let redis: TestRedis
      let compose: ComposeHere
      beforeAll(async () => {
        ;[tree, engine, redis] = await Promise.all([givenImageTree(), givenEngine([DATABASE]), startRedis()])
        const { url, username = 'default', password = '' } = engine.server.target()
        const elsewhere = { redisUrl: redis.url, clickhouse: { url, username, password }, prefix: `compose-${process.pid}.` }
        compose = new ComposeHere(tree, { ...(await sharedKafka()), ...elsewhere })
      }, START_MS_MAX)
      afterAll(async () => {
        await compose.close()
        await Promise.all([engine.remove(), redis.stop()])
        tree.remove()
      })

      test('become healthy, sell a card on both servers for play money, write only to their volumes, and stop on SIGTERM', async () => {
        const before = tree.listing()
        const lines: string[] = []
        const sandbox = await compose.start('sandbox', {}, (line) => void lines.push(line))
        // It answers a moment before it has printed its settings.
        const isPrinted = (): boolean => ['X402_PAY_TO=', 'X402_NETWORK='].every((name) => lines.some((line) => line.includes(name)))
        await until(async () => isPrinted() && (await sandbox.isUp()), { seen: () => lines })
        const printed = Object.fromEntries(lines.filter((line) => line.includes('=')).map((line) => line.split(/=(.*)/s).slice(0, 2)))
        const paid = {
          X402_FACILITATOR_URL: `${sandbox.url}/facilitator`,
          X402_PAY_TO: String(printed.X402_PAY_TO),
          X402_NETWORK: String(printed.X402_NETWORK),
          X402_RPC_URL: `${sandbox.url}/rpc`,
        }
        const started: Started[] = []
        for (const name of ['process-1', 'process-2', 'serve-1', 'serve-2', 'capture']) started.push(await compose.start(name, paid))
        const servers = started.slice(2, 4)
        const all = [sandbox, ...started]
        await until(async () => (await Promise.all(all.map((one) => one.isUp()))).every(Boolean), {
          ...{ msMax: READY_MS_MAX, everyMs: 500, seen: () => started.flatMap(({ process }) => process.lines.slice(-5)) },
        })
        expect(await Promise.all(all.map((one) => one.health()))).toEqual(all.map(() => 0))
        // The demo first sends its frames before the start; its clock, from which the lag follows, is known after them.
        const isFresh = async ({ url }: Started): Promise<boolean> => {
          const { sources } = (await (await fetch(`${url}/health`)).json()) as {
            readonly sources: readonly { readonly feed_lag_s: number }[]
          }
          return sources.every((source) => source.feed_lag_s < 10)
        }
        await until(async () => (await Promise.all(servers.map(isFresh))).every(Boolean), { msMax: READY_MS_MAX, everyMs: 500 })
        const wallet = join(sandbox.volume, 'wallet.json')
        for (const { url } of servers)
          expect(await compose.exec(sandbox, ['buy', '/v1/launches/recent', '--server', url, '--wallet', wallet])).toContain('"items":[{')
        expect(await Promise.all(all.map(({ process }) => process.stop()))).toEqual(all.map(() => 0))
        expect(tree.listing()).toEqual(before)
      }, 480_000)
    })
  })
})
