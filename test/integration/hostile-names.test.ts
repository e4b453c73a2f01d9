// A creator may put control, bidirectional, zero-width and escape characters and markup into the name of a coin: no place that shows the
// name lets them take effect.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Serving } from '../../query-api/http/server.ts'
import { tapeBatchCodec } from '../../schemas/codecs.ts'
import { toBase58 } from '../../schemas/keys.ts'
import type { TapeBatch } from '../../schemas/types.ts'
import { main } from '../../topology/cli/main.ts'
import { createIo } from '../../topology/cli/output/io.ts'
import { statusText } from '../../topology/cli/output/status-line.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { writeTape } from '../../topology/sources/recording/tape-file.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { serveView } from '../bench/card-server.ts'
import { DEFAULT_SHAPE, syntheticTape } from '../bench/synthetic-tape.ts'
import { appendTape, foldToEnd } from '../live.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { fillHistory } from '../tools/two-ways/history-of.ts'
import { fakeEdges } from '../unit/cli/fake-edges.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

const NAME = '\u202Egnp\u200B\u0000\u001B[31m\u009B2J\r<img src=x>'
const CLEAN = 'gnp[31m2J<img src=x>'
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** Spans 800 s: samples show only launches that are at least 600 s old. */
const SHAPE = { ...DEFAULT_SHAPE, events: 8_000, eventsPerFrame: 4 }

const named = (batch: TapeBatch): TapeBatch => ({
  ...batch,
  events: batch.events.map((event) => (event.type === 'launch' ? { ...event, name: NAME, symbol: NAME, uri: NAME } : event)),
})
const tape = Array.from(syntheticTape(SHAPE), named)
const log = createMemoryLog({ partitions: 2 })
const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
let dir = ''
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-names-'))
  await writeTape(join(dir, 'names.tape'), tape, tapeBatchCodec)
  await appendTape(log, tape)
  await foldToEnd(log, DEFAULT_LIMITS)
  await view.start()
})
afterAll(async () => {
  await view.stop()
  removeDirectory(dir)
})

const mintfold = async (env: Record<string, string>, ...args: string[]): Promise<string> => {
  const edges = fakeEdges(env)
  expect(await main(args, createIo(edges))).toBe(0)
  return edges.written.stdout
}
const withoutLineBreaks = (text: string): string => text.replaceAll('\n', '')

describe('over HTTP', () => {
  let serving: Serving
  let url = ''
  beforeAll(async () => {
    const served = await serveView(view)
    serving = served.serving
    url = served.url
  })
  afterAll(() => serving.close(1_000))

  test('answers are valid JSON without invisible characters, with the visible characters of the name', async () => {
    for (const path of [new URL(url).pathname, '/v1/launches/recent?limit=100', '/v1/sample/mint', '/v1/rugs/recent']) {
      const answer = await (await fetch(serving.url + path)).text()
      expect(withoutLineBreaks(answer)).not.toMatch(HIDDEN)
      const values: unknown[] = []
      JSON.parse(answer, (_name, value: unknown) => values.push(value) && value)
      for (const value of values) if (typeof value === 'string') expect(value).not.toMatch(HIDDEN)
      if (!path.startsWith('/v1/rugs')) expect(values).toContain(CLEAN)
    }
  })
  test('the page shows the name as text', async () => {
    const page = await (await fetch(serving.url, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('<bdi>gnp[31m2J&lt;img src=x&gt;</bdi>')
    expect(page).not.toContain('<img')
    expect(withoutLineBreaks(page)).not.toMatch(HIDDEN)
  })
})

describe('on a terminal', () => {
  test('`replay --print cards` prints the name cleaned, and no terminal sequence takes effect', async () => {
    const cards = await mintfold({}, 'replay', join(dir, 'names.tape'), '--print', 'cards')
    expect(cards).toContain(JSON.stringify(CLEAN))
    expect(withoutLineBreaks(cards)).not.toMatch(HIDDEN)
  })
  test('`replay --print tape` prints the creator’s text, escaped', async () => {
    const lines = await mintfold({}, 'replay', join(dir, 'names.tape'), '--print', 'tape')
    expect(withoutLineBreaks(lines)).not.toMatch(HIDDEN)
    const [launch] = lines.split('\n', 1)
    expect(JSON.parse(launch ?? '')).toMatchObject({ type: 'launch', name: NAME })
  })
  test('the status line prints no names', () => {
    expect(statusText(view, { tip: () => null })).toMatch(/^[ -~]*$/)
    expect([...view.launchesSince(0)].map(({ mint }) => toBase58(mint))).not.toHaveLength(0)
  })
})

describeEngine('in SQL', () => {
  let given: GivenHistories
  let database = ''
  beforeAll(async () => {
    given = await givenHistories()
    const client = await given.fresh()
    database = client.database
    await fillHistory(log, client)
  })
  afterAll(() => given.remove())

  test.each(['PrettyCompact', 'Vertical', 'PrettySpace'])(
    '`sql --format %s` shows the name without invisible characters',
    async (format) => {
      const { url, username, password } = given.engine.server.target()
      const env = { CLICKHOUSE_URL: url, CLICKHOUSE_USERNAME: username, CLICKHOUSE_PASSWORD: password }
      const rows = await mintfold(env, 'sql', `SELECT name FROM ${database}.launches LIMIT 3`, '--format', format)
      expect(rows).toContain('gnp')
      expect(withoutLineBreaks(rows)).not.toMatch(HIDDEN)
    },
  )
})
