// The topology with one more detector than is shipped: every list of flags shows it, and only the list of detectors changed.

import { Ajv2020 } from 'ajv/dist/2020.js'
import supertest from 'supertest'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { detectorSet } from '../../processors/mint/detectors/set.ts'
import { createApp } from '../../query-api/app/app.ts'
import { offGate } from '../../query-api/payment/off-gate.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import type { Conclusion } from '../../schemas/types.ts'
import { readRegime } from '../../topology/history/figures.ts'
import { LAUNCH_RISK, launchRisk } from '../../topology/launch-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { refreshViews } from '../../topology/sinks/refresh-views.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { noCurves } from '../fakes/map-curves.ts'
import { fakeOdds } from '../fakes/odds.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { MANY, manyBuyers } from '../fixtures/many-buyers.ts'
import { contentsOf, differencesOf, foldAll, marketBodies } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw, standingConclusionsOn } from '../live.ts'
import { faultsAs } from '../tools/shapes/check.ts'
import { describeEngine } from './history-server-given.ts'
import { givenHistories, sinkAll } from './sink-given.ts'

const PATIENCE_MS = 600_000
const { flag: FLAG, id: ID } = manyBuyers
const oneMore = launchRisk(detectorSet(...detectors.all, manyBuyers))
const bodies = marketBodies(240, 3)

const folded = (topology = oneMore): Promise<Log> =>
  logOnce(String(topology === oneMore), 2, async (log) => {
    await appendRaw(log, bodies, 1)
    await foldAll(log, topology)
  })
type Finding = Conclusion & { readonly body: { readonly type: 'finding' } }
const findingsOn = async (log: Log): Promise<readonly Finding[]> =>
  (await standingConclusionsOn(log, TOPICS.flags))
    .map((text) => JSON.parse(text) as Conclusion)
    .filter((one): one is Finding => one.body.type === 'finding')
const mintOf = ({ body }: Finding): string => toBase58(body.mint)

/** Folded once for all tests, with the API over it. */
const given = async () => {
  const log = await folded()
  const view = new LogMintView(log, oneMore, { tip: () => null })
  await view.start()
  const history = new SetHistory()
  const clock = { now: () => (view.status().folded?.time ?? 0) * 1_000 }
  const logger = { info: () => {}, warn: () => {}, error: () => {} }
  const views = { chain: oneMore.chain, detectors: oneMore.detectors, view, records: view.records, history, clock, wallClock: clock }
  const texts = { baseUrl: 'http://127.0.0.1', source: 'demo', version: '0.1.0', sandbox: false, priceFactor: 1 }
  const rest = { gate: offGate(), logger, cursorKeys: [Buffer.alloc(32, 1)], finalityOf: () => 'finalized' as const }
  const agent = supertest(createApp({ curves: noCurves(), ...fakeOdds(), ...views, ...texts, ...rest }).callback())
  const bodyOf = async (path: string) => {
    const { status, body } = await agent.get(path)
    expect([path, status]).toEqual([path, 200])
    return body
  }
  return { log, view, history, agent, bodyOf, found: (await findingsOn(log)).filter(({ body }) => body.flag === FLAG) }
}
let shared: ReturnType<typeof given> | undefined
const once = (): ReturnType<typeof given> => {
  shared ??= given()
  return shared
}
afterAll(async () => (await shared)?.view.stop())

describe('one more detector', () => {
  jest.setTimeout(PATIENCE_MS)

  test('is in the flag topic, once for each mint that it is true of, with the findings of the others', async () => {
    const { log, view, found } = await once()
    const due = [...view.launchesSince(0, Number.MAX_SAFE_INTEGER)].filter(
      ({ head: { curve } }) => curve !== null && curve.uniqueBuyers >= MANY && curve.quoteMint === null,
    )
    expect(found.map(mintOf).sort()).toEqual(due.map(({ mint }) => toBase58(mint)).sort())
    expect(found.length).toBeGreaterThan(2)
    for (const { id, body } of found) {
      expect(id).toContain(`:${ID}:`)
      expect(JSON.parse(body.evidence)).toEqual({ n_buyers: MANY, paid: expect.any(Number) })
    }
    const shipped = (await findingsOn(await folded(LAUNCH_RISK))).map(({ id }) => id)
    expect((await findingsOn(log)).map(({ id }) => id).filter((id) => !id.includes(`:${ID}:`))).toEqual(shipped)
    expect(shipped.length).toBeGreaterThan(0)
  })

  test('is found in the tape of a log that ran without it: the stores are folded again', async () => {
    const older = await folded(LAUNCH_RISK)
    await foldAll(older, oneMore)
    expect(differencesOf(await contentsOf(older), await contentsOf((await once()).log))).toEqual([])
  })

  test('is on the card, in the check and on the page, as the schemas of this server have it', async () => {
    const { agent, bodyOf, view, found } = await once()
    const mint = mintOf(found.at(-1) as Finding)
    const faultsOf = async (name: string, body: unknown) => {
      const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(await bodyOf(`/schemas/${name}.json`))
      return validate(body) ? [] : validate.errors
    }
    const card = await bodyOf(`/v1/mint/${mint}`)
    expect(card.data.flags[FLAG]).toBe(true)
    expect(card.data.rug_flags).toContainEqual(expect.objectContaining({ flag: FLAG, detector_id: ID }))
    expect(await faultsOf('MintAnswer', card)).toEqual([])
    expect(faultsAs('MintAnswer', card)).not.toEqual([])
    const unjudged = [...view.launchesSince(0, Number.MAX_SAFE_INTEGER)].find(({ head }) => head.curve?.quoteMint !== null)
    const other = await bodyOf(`/v1/mint/${toBase58(unjudged?.mint as Key)}`)
    expect(other.data.flags).toMatchObject({ [FLAG]: null, [`${FLAG}_reason`]: 'what was paid is not SOL' })

    const check = await bodyOf(`/v1/check/mint/${mint}`)
    expect(check.data.watch_events).toContain(FLAG)
    expect(check.data.items[0].new_events).toContain(FLAG)
    expect(await faultsOf('CheckAnswer', check)).toEqual([])
    const again = await bodyOf(`/v1/check/mint/${mint}?cursor=${check.data.cursor}`)
    expect(again.data.status).toBe('no_new_events')
    expect((await agent.get('/').set('accept', 'text/html')).text).toContain('<th scope="row">many buyers</th>')
  })

  test('is explained by /v1/labels and named by the JSON Schema', async () => {
    const { bodyOf } = await once()
    const { data } = await bodyOf('/v1/labels')
    expect(data.rug_flags[FLAG]).toEqual({
      detector_id: ID,
      detector_version: 1,
      tier: 'active',
      fires_when: manyBuyers.firesWhen,
      evidence: { n_buyers: 'wallets that bought', paid: 'in the curve by then (SOL)' },
      detected: true,
    })
    expect(data.fields['mint.flags']).toHaveProperty(FLAG)
    const { $defs: schemas } = await bodyOf('/schemas/MintAnswer.json')
    const { $defs: counted } = await bodyOf(data.fields.regime)
    const { schemas: own } = (await bodyOf('/openapi.json')).components
    expect(schemas.Flag.enum).toContain(FLAG)
    const { $defs: checked } = await bodyOf('/schemas/CheckAnswer.json')
    expect(checked.WatchEvent.enum).toContain(FLAG)
    expect(schemas.CardFlags.properties).toHaveProperty(FLAG)
    expect(counted.FlagCounts.properties).toHaveProperty(FLAG)
    const evidence = own.FlagEvidence.anyOf.find(({ title }: { title: string }) => title === FLAG)
    expect(evidence.properties.paid).toEqual({ type: 'number', minimum: 0, description: 'in the curve by then (SOL)' })
  })
})

describeEngine('one more detector in SQL', () => {
  test(
    'has rows in flags and a figure of the market, which the API answers',
    async () => {
      const { log, history, bodyOf, found } = await once()
      const histories = await givenHistories()
      const client = await histories.fresh()
      await sinkAll(log, client)
      await refreshViews(client)
      const rows = await client.rows<{ mint: string; buyers: number }>(
        `SELECT mint, JSONExtractUInt(evidence, 'n_buyers') AS buyers FROM ${client.database}.flags WHERE flag = '${FLAG}'`,
      )
      history.market = await readRegime(client)
      await histories.remove()
      expect(rows.map(({ mint }) => mint).sort()).toEqual(found.map(mintOf).sort())
      for (const { buyers } of rows) expect(Number(buyers)).toBe(MANY)
      const { data } = await bodyOf('/v1/market/regime')
      expect(data.hour.rug_flags[FLAG]).toBeGreaterThan(0)
    },
    PATIENCE_MS,
  )
})
