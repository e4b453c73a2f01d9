// Limits of the embedded ClickHouse, and the history's status before it runs.
import { accessFor } from '../../../topology/history/engine/access.ts'
import { configXml, usersXml } from '../../../topology/history/engine/engine-config.ts'
import { ClickHouseHistory } from '../../../topology/history/history.ts'
import type { SinkStatus } from '../../../topology/ports/history.ts'

const MIB = 1024 * 1024
const numbersIn = (xml: string, name: string): number[] =>
  [...xml.matchAll(new RegExp(`<${name}>(\\d+)</${name}>`, 'g'))].map(([, bytes]) => Number(bytes))

test("a query may use most of the server's memory limit, and both fit a small machine", () => {
  const access = accessFor('/absent', { url: 'http://127.0.0.1:1', database: 'd' })
  const config = { access, views: [], hosts: [] }
  const [server = 0] = numbersIn(configXml(config, '/users.xml'), 'max_server_memory_usage')
  const queries = numbersIn(usersXml(config), 'max_memory_usage').filter((bytes) => bytes > 16 * MIB)
  expect([queries.length, new Set(queries).size]).toEqual([2, 1])
  expect(server / MIB).toBe(300)
  expect((queries[0] as number) / server).toBeGreaterThan(0.5)
  expect((queries[0] as number) / server).toBeLessThan(1)
})

test('the status shows the rows of the sink, or none without a sink', () => {
  let sink: SinkStatus | null = null
  const at = { url: 'http://127.0.0.1:1', username: 'default', password: '', database: 'mintfold' }
  const history = new ClickHouseHistory({ at, sink: () => sink, notice: () => {} })
  expect(history.status()).toEqual({ rows: 0, upTo: null, trouble: 'the history store is starting', store: 'down' })
  sink = { rows: 7, upTo: 5, trouble: null }
  expect(history.status()).toMatchObject({ rows: 7, upTo: 5 })
})
