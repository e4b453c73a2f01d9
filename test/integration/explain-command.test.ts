// `mintfold explain` for a user: every finding of both chains verifies on its tape, and one that does not is named.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { add, subtract } from '../../schemas/amount.ts'
import { altConclusionCodec, conclusionCodec, tapeBatchCodec } from '../../schemas/codecs.ts'
import { comparePositions } from '../../schemas/position.ts'
import type { Conclusion, RawFrame, TapeBatch, Trade } from '../../schemas/types.ts'
import { register as registerExplain } from '../../topology/cli/commands/explain/explain.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { type DurableLog, openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { writeTape } from '../../topology/sources/recording/tape-file.ts'
import { type Ran, runCommand } from '../fakes/run-command.ts'
import { playAltDemo } from '../fixtures/alt-demo.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import { forkedMinute } from '../fixtures/own-log.ts'
import { appendRaw, appendTape, foldToEnd, readAll, standingConclusionsOn } from '../live.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { fillHistory } from '../tools/two-ways/history-of.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

const { bodies, canonical } = forkedMinute
const TOPICS = [LAUNCH_RISK, CURVE_RISK].map(({ operations }) => operations.explain.reads)

let dir = ''
let log: DurableLog
let conclusions: readonly Conclusion[] = []
const at = (name: string): string => join(dir, name)

interface Doc {
  readonly finding_id: string
  readonly status: string
  readonly chain: string
  readonly evidence: Record<string, unknown>
  readonly events: readonly Record<string, unknown>[]
  readonly moved: Record<string, { readonly before: unknown; readonly after: unknown }>
  readonly rows: object | null
  readonly recomputed: string | null
  readonly recomputed_reason?: string
  readonly differences?: readonly { readonly field: string; readonly stored: unknown; readonly recomputed: unknown }[]
}
const docsIn = ({ out }: Ran): Doc[] =>
  out
    .split(/^}\n/m)
    .filter((text) => text.trim() !== '')
    .map((text) => JSON.parse(`${text}}`) as Doc)
const explain = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  runCommand(registerExplain, ['explain', ...args], { env: { MINTFOLD_DATA_DIR: dir, ...env } })

const standing = async (of: Log): Promise<Conclusion[]> => {
  const [mints, curves] = TOPICS
  const texts = [
    ...(await standingConclusionsOn(of, mints?.flags as never, conclusionCodec)),
    ...(await standingConclusionsOn(of, curves?.flags as never, altConclusionCodec)),
  ]
  return texts.map((text) => JSON.parse(text) as Conclusion)
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-explain-'))
  log = await openLmdbLog({ dir: at('log'), partitions: 3 })
  await appendRaw(log, bodies, 0)
  await foldToEnd(log, DEFAULT_LIMITS)
  await playAltDemo(log, { blocks: 1_500, seed: 1, rate: 10 })
  conclusions = await standing(log)
})
afterAll(async () => {
  await log.close()
  removeDirectory(dir)
})

test('every valid finding on the log of both chains is confirmed by recomputation', async () => {
  const ran = await explain(conclusions.map(({ id }) => id))
  expect([ran.error, ran.code]).toEqual([undefined, 0])
  const docs = docsIn(ran)
  expect(docs.map(({ finding_id }) => finding_id)).toEqual(conclusions.map(({ id }) => id))
  expect(new Set(docs.map(({ chain }) => chain))).toEqual(new Set(['solana', 'alt']))
  expect(docs.filter(({ status, recomputed }) => status !== 'stands' || recomputed !== 'same')).toEqual([])
  for (const { moved, events } of docs) {
    expect(Object.keys(moved).length).toBeGreaterThan(0)
    expect(events.every((event) => typeof event.position === 'string' && typeof event.signature === 'string')).toBe(true)
  }
})

test('the rows are in whole coins, before and after the causing event', async () => {
  const one = conclusions.find(({ id }) => id.includes(':creator-sold:')) as Conclusion
  const { evidence, moved } = docsIn(await explain([one.id]))[0] as Doc
  const { tokens_share, sol } = evidence as { tokens_share: number; sol: number }
  expect(moved['curve.dev_first_sell_tokens']).toEqual({ before: 0, after: expect.closeTo(tokens_share * 1e9, 3) })
  expect(moved['curve.dev_first_sell_sol']).toEqual({ before: 0, after: sol })
})

test('reports a finding of an orphaned branch as retracted', async () => {
  const everPublished = (await readAll(log, TOPICS[0]?.flags as never)).flatMap(({ value }) => {
    const read = conclusionCodec.decode(value as Uint8Array)
    return read.ok && read.value.body.type === 'finding' ? [read.value.id] : []
  })
  const gone = everPublished.filter((id) => conclusions.every((one) => one.id !== id))
  expect(gone.length).toBeGreaterThan(0)
  const ran = await explain(gone.slice(0, 3))
  expect([ran.code, docsIn(ran).map(({ status }) => status)]).toEqual([0, gone.slice(0, 3).map(() => 'retracted')])
})

const tapeOf = (frames: readonly RawFrame[]): TapeBatch[] => {
  const replay = new Replay(LAUNCH_RISK)
  return frames.flatMap((frame) => replay.decode(frame) ?? [])
}
const linesOf = (conclusions: readonly Conclusion[]): string =>
  conclusions
    .flatMap(({ id, at: second, body }) =>
      body.type === 'finding' ? [`${JSON.stringify({ id, at: second, ...body, evidence: JSON.parse(body.evidence) as object })}\n`] : [],
    )
    .join('')

describe('on a tape file', () => {
  const tape = tapeOf(canonical)
  const mints = (): Conclusion[] => conclusions.filter(({ chain }) => chain === 'solana')
  const ids = (): string[] => mints().map(({ id }) => id)
  beforeAll(() => writeFileSync(at('said.jsonl'), linesOf(conclusions)))

  test('all are confirmed in one pass', async () => {
    await writeTape(at('tape.avro'), tape, tapeBatchCodec)
    const ran = await explain([...ids(), '--in', at('tape.avro'), '--said', at('said.jsonl')])
    expect([ran.error, ran.code]).toEqual([undefined, 0])
    expect(docsIn(ran).map(({ recomputed }) => recomputed)).toEqual(ids().map(() => 'same'))
  })
  test('with one changed amount names exactly the findings that rest on it, with the difference', async () => {
    const saleOf = (finding: Conclusion): Trade | undefined =>
      tape.flatMap(({ number, events }) => events.filter((event) => event.type === 'trade' && isAt(event, finding, number)))[0] as Trade
    const finding = mints().find((one) => one.id.includes(':creator-sold:') && saleOf(one) !== undefined) as Conclusion
    const sale = saleOf(finding) as Trade
    const changed = tape.map((batch): TapeBatch => {
      const isAfter = (event: Trade): boolean => comparePositions({ ...event, number: batch.number }, finding) >= 0
      const events = batch.events.map((event) =>
        event.type === 'trade' && event.mint === sale.mint && isAfter(event) ? afterSmallSale(event, sale) : event,
      )
      return { ...batch, events }
    })
    await writeTape(at('changed.avro'), changed, tapeBatchCodec)
    const ran = await explain([...ids(), '--in', at('changed.avro'), '--said', at('said.jsonl')])
    expect([ran.error, ran.code]).toEqual([undefined, 1])
    const wrong = docsIn(ran).filter(({ recomputed }) => recomputed === 'differs')
    const mint = finding.id.split(':').at(-1)
    expect(wrong.map(({ finding_id }) => finding_id)).toContain(finding.id)
    expect(wrong.every(({ finding_id }) => finding_id.endsWith(`:${mint}`))).toBe(true)
    const fields = wrong.find(({ finding_id }) => finding_id === finding.id)?.differences?.map(({ field }) => field)
    expect(fields).toEqual(['evidence.tokens_share', 'evidence.sol'])
    expect(ran.stderr.some((line) => line.startsWith(`${finding.id}: NOT REPRODUCED: evidence.tokens_share`))).toBe(true)
  })
  test('on a tape without the causing event names another position of the finding, or that there is none', async () => {
    const finding = mints().find(({ id }) => id.includes(':creator-sold:')) as Conclusion
    const cut = tape.map((batch) => ({
      ...batch,
      events: batch.events.filter((event) => !isAt(event, finding, batch.number)),
    }))
    await writeTape(at('cut.avro'), cut, tapeBatchCodec)
    const ran = await explain([finding.id, '--in', at('cut.avro')])
    expect(ran.code).toBe(1)
    expect(['finding', 'position']).toContain(docsIn(ran)[0]?.differences?.[0]?.field)
  })
  test('reports that a finding cannot be recomputed from a tape that ends before it, or begins after the launch', async () => {
    const finding = mints().at(-1) as Conclusion
    const before = tape.filter(({ number }) => number < finding.number)
    await writeTape(at('short.avro'), before, tapeBatchCodec)
    const short = await explain([finding.id, '--in', at('short.avro'), '--said', at('said.jsonl')])
    expect([short.code, docsIn(short)[0]]).toMatchObject([0, { recomputed: null, recomputed_reason: 'the tape ends before the finding' }])
    await writeTape(at('late.avro'), tapeOf(canonical.slice(-1)), tapeBatchCodec)
    const late = await explain([finding.id, '--in', at('late.avro')])
    expect([late.code, docsIn(late)[0]]).toMatchObject([0, { recomputed_reason: 'the launch of the mint is not on the tape' }])
    const unknown = await explain([finding.id, '--in', at('late.avro')], { MINTFOLD_DATA_DIR: at('none') })
    expect(unknown.error).toMatchObject({ code: 'finding_not_held' })
  })
})

const isAt = (event: TapeBatch['events'][number], finding: Conclusion, number = finding.number): boolean =>
  number === finding.number && event.tx === finding.tx && event.outer === finding.outer && event.inner === finding.inner

/** A trade of the coin as if the sale `before` it, or the trade itself, had been of one unit: later reserves follow from it. */
const afterSmallSale = (trade: Trade, before: Trade): Trade => ({
  ...trade,
  ...(trade === before ? { quoteUnits: 1, tokenUnits: 1 } : {}),
  virtualQuoteUnits: add(trade.virtualQuoteUnits, subtract(before.quoteUnits, 1)),
  virtualTokenUnits: subtract(trade.virtualTokenUnits, subtract(before.tokenUnits, 1)),
})

test('names wrong usage', async () => {
  const [one] = conclusions
  expect((await explain(['solana:1.2.3.4'])).error).toMatchObject({ name: 'UsageError' })
  const both = [conclusions.find(({ chain }) => chain === 'solana')?.id ?? '', conclusions.find(({ chain }) => chain === 'alt')?.id ?? '']
  expect((await explain([...both, '--in', at('tape.avro')])).error).toMatchObject({ name: 'UsageError' })
  const alien = (one?.id ?? '').replace(/.{3}$/, 'aaa')
  expect((await explain([alien])).error).toMatchObject({ name: expect.stringMatching(/UsageError|EngineError/) })
})

describeEngine('without a log', () => {
  const short = createMemoryLog({ partitions: 1 })
  let given: GivenHistories
  let kept: readonly Conclusion[] = []
  let env: Record<string, string> = {}
  beforeAll(async () => {
    await appendTape(short, [...demoSlots({ seed: 3, rate: 2, seconds: 40 })].map(batchOf))
    await foldToEnd(short, DEFAULT_LIMITS)
    await playAltDemo(short, { blocks: 1_500, seed: 1, rate: 10 })
    kept = await standing(short)
    given = await givenHistories({ views: false })
    const client = await given.fresh()
    await fillHistory(short, client)
    await fillHistory(short, client, CURVE_RISK)
    const { url, username, password } = given.engine.server.target()
    const access = { CLICKHOUSE_USERNAME: username, CLICKHOUSE_PASSWORD: password, CLICKHOUSE_DATABASE: client.database }
    env = { MINTFOLD_DATA_DIR: at('none'), CLICKHOUSE_URL: url, ...access }
  })
  afterAll(() => given.remove())

  test('shows the finding and its events from the history, and reports that the tape is gone', async () => {
    const some = ['solana', 'alt'].flatMap((chain) => kept.filter((one) => one.chain === chain).slice(0, 1))
    expect(some).toHaveLength(2)
    const ran = await explain(
      some.map(({ id }) => id),
      env,
    )
    expect([ran.error, ran.code]).toEqual([undefined, 0])
    for (const [n, doc] of docsIn(ran).entries()) {
      const { body } = some[n] as Conclusion
      if (body.type !== 'finding') throw new Error('expected findings only')
      expect(doc).toMatchObject({ status: 'stands', rows: null, recomputed: null, recomputed_reason: 'its tape is no longer retained' })
      expect(doc.evidence).toEqual(JSON.parse(body.evidence))
      expect(doc.events.map(({ event_id }) => event_id)).toEqual(body.events)
      expect(doc.events.every(({ table }) => /launches|trades|completions|migrations/.test(String(table)))).toBe(true)
    }
  })
  test('an unknown finding exits with 3', async () => {
    const ran = await explain([conclusions[0]?.id ?? ''], env)
    expect(ran.error).toMatchObject({ name: 'EngineError', code: 'finding_not_held' })
  })
})
