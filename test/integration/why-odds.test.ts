// `mintfold why MINT odds` for a user: every logged value with its inputs; a value that cannot be confirmed is printed with what changed.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readModel } from '../../processors/odds/model.ts'
import { conclusionCodec, tapeBatchCodec } from '../../schemas/codecs.ts'
import { type Key, keyText } from '../../schemas/keys.ts'
import { formatPosition, tickOf } from '../../schemas/position.ts'
import type { Conclusion, TapeBatch } from '../../schemas/types.ts'
import { register as registerExplain } from '../../topology/cli/commands/explain/explain.ts'
import { oddsKnown } from '../../topology/cli/commands/explain/odds-known.ts'
import { register as registerWhy } from '../../topology/cli/commands/explain/why.ts'
import { createIo } from '../../topology/cli/output/io.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { type DurableLog, openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { publishModel } from '../../topology/odds/publish.ts'
import { explainOdds, type OddsDocument } from '../../topology/operations/explain/odds-document.ts'
import type { Log } from '../../topology/ports/log.ts'
import { writeTape } from '../../topology/sources/recording/tape-file.ts'
import { type Ran, runCommand } from '../fakes/run-command.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import { givenJudgement, givenModelFile } from '../fixtures/odds-given.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendTape, copyTo, foldToEnd } from '../live.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { fakeEdges } from '../unit/cli/fake-edges.ts'
import { conclusionsOn, putConclusions, scoreToEnd } from './odds/odds-live.ts'

const FILE = givenModelFile()
const MODEL = readModel(FILE)
const IO = createIo(fakeEdges({}))

const docsIn = ({ out }: Ran): OddsDocument[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as OddsDocument)
const oddsOn = async (log: Log) =>
  (await conclusionsOn(log, TOPICS.odds)).flatMap((one) => (one.body.type === 'odds' ? [{ ...one, body: one.body }] : []))

describe('over a log', () => {
  let dir = ''
  let log: DurableLog
  let tape: TapeBatch[] = []
  let logged: Awaited<ReturnType<typeof oddsOn>> = []
  /** Coins with odds of both heads; those with the most values come first. */
  let mints: Key[] = []
  const at = (name: string): string => join(dir, name)
  const why = (mint: Key, field: string, ...args: string[]): Promise<Ran> =>
    runCommand(registerWhy, ['why', keyText(mint), field, '--format', 'json', ...args], { env: { MINTFOLD_DATA_DIR: dir } })
  const ofMint = (mint: Key) => logged.filter(({ body }) => body.mint === mint)
  const idsOf = (mint: Key): string[] => ofMint(mint).map(({ id }) => id)

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'mintfold-why-odds-'))
    tape = [...demoSlots({ seed: 5, rate: 10, seconds: 60 })].map(batchOf)
    log = await openLmdbLog({ dir: at('log'), partitions: 2 })
    await publishModel(log, LAUNCH_RISK, FILE)
    await appendTape(log, tape)
    await foldToEnd(log, DEFAULT_LIMITS)
    await scoreToEnd(log)
    logged = await oddsOn(log)
    const both = new Set(logged.filter(({ body }) => body.head === 'true_graduation').map(({ body }) => body.mint))
    mints = [...both].sort((a, b) => ofMint(b).length - ofMint(a).length).slice(0, 4)
    await writeTape(at('tape.avro'), tape, tapeBatchCodec)
    writeFileSync(at('model.json'), FILE)
  })
  afterAll(async () => {
    await log.close()
    removeDirectory(dir)
  })

  test('prints every value of a coin newest first, with features whose points make its score and its probability', async () => {
    expect(mints).toHaveLength(4)
    for (const mint of mints) {
      const ran = await why(mint, 'odds')
      expect([ran.error, ran.code]).toEqual([undefined, 0])
      const docs = docsIn(ran)
      expect(docs.map(({ odds_id }) => odds_id).sort()).toEqual(idsOf(mint).sort())
      const times = docs.map((one) => one.at)
      expect(times).toEqual([...times].sort((a, b) => b - a))
      for (const { recomputed, status, score, ppm, inputs, age_s } of docs) {
        expect([recomputed, status, score?.ppm, inputs?.ageS]).toEqual(['same', 'logged', ppm, age_s])
        expect(score?.features.reduce((sum, { points }) => sum + points, score.base)).toBe(score?.score)
      }
    }
  })
  test('selects by head, position and limit', async () => {
    const [mint] = mints as [Key]
    const rugs = docsIn(await why(mint, 'odds.rug_within_300s'))
    expect(new Set(rugs.map(({ head }) => head))).toEqual(new Set(['rug_within_300s']))
    expect(rugs.length).toBeGreaterThan(1)
    const [newest, second] = rugs
    expect(docsIn(await why(mint, 'odds.rug_within_300s', '--limit', '1'))).toEqual([newest])
    expect(docsIn(await why(mint, 'odds.rug_within_300s', '--at', second?.position ?? ''))).toEqual(rugs.slice(1))
  })
  test('prints a line for a value, and one for each feature with its value, bin and points', async () => {
    const [mint] = mints as [Key]
    const { out, stderr } = await why(mint, 'odds.rug_within_300s', '--limit', '1', '--format', 'text')
    const [value, inputs, base, feature, score] = out.trimEnd().split('\n')
    expect(value).toMatch(/^solana:\d+\.~\t\S+Z\tage \d+ s\trug_within_300s\t\d+ ppm\tmodel [0-9a-f]{16}\tlogged\treproduced\tsolana:/)
    expect([inputs, base]).toEqual([expect.stringMatching(/^ {2}inputs\t[0-9a-f]{64}$/), '  base\t-1000000 points'])
    expect(feature).toMatch(/^ {2}dev_sold_ppm\t\d+\t(\d+ )?to( below \d+)?\t-?\d+ points$/)
    expect(score).toMatch(/^ {2}score\t-?\d+ points\t\d+ ppm$/)
    expect(stderr.at(-1)).toMatch(/^1 of \d+ values, newest first: 1 hold, 0 do not/)
  })
  test('explain takes the id of a value', async () => {
    const [id = ''] = idsOf(mints[0] as Key)
    const ran = await runCommand(registerExplain, ['explain', id], { env: { MINTFOLD_DATA_DIR: dir } })
    expect(docsIn(ran)).toEqual([expect.objectContaining({ odds_id: id, recomputed: 'same' })])
  })

  describe('with a tape in files', () => {
    test('judges the launch again, and confirms its values', async () => {
      const [mint] = mints as [Key]
      const ran = await why(mint, 'odds', '--in', at('tape.avro'))
      expect([ran.error, ran.code]).toEqual([undefined, 0])
      expect(docsIn(ran)).toEqual(docsIn(await why(mint, 'odds')))
    })
    test('names the inputs that missing trades change: exit code 1', async () => {
      const [mint] = mints as [Key]
      // A later trade would contradict the reserves: the coin would be thin, and not judged.
      let trades = 0
      const isLost = (event: TapeBatch['events'][number]): boolean => event.type === 'trade' && event.mint === mint && ++trades > 1
      const without = tape.map((batch) => ({ ...batch, events: batch.events.filter((event) => !isLost(event)) }))
      await writeTape(at('without.avro'), without, tapeBatchCodec)
      const ran = await why(mint, 'odds', '--in', at('without.avro'))
      expect(ran.code).toBe(1)
      const [newest] = docsIn(ran)
      const fields = newest?.recomputed === 'differs' ? newest.differences.map(({ field }) => field) : []
      expect(fields).toEqual(expect.arrayContaining(['inputs.buys', 'inputs_hash']))
      expect(fields).not.toContain('inputs.mint')
      expect(ran.stderr.join('\n')).toMatch(/NOT REPRODUCED: .*inputs\.buys is \d+, not \d+/)
    })
    test('and no log, a model file gives the values of replay --print odds, which cannot be compared', async () => {
      const [mint] = mints as [Key]
      const args = ['why', keyText(mint), 'odds', '--format', 'json', '--in', at('tape.avro')]
      const env = { MINTFOLD_DATA_DIR: at('none') }
      const docs = docsIn(await runCommand(registerWhy, [...args, '--model', at('model.json')], { env }))
      const values = docs.map(({ odds_id, ppm, inputs_hash, status, recomputed }) => ({ odds_id, ppm, inputs_hash, status, recomputed }))
      const expected = ofMint(mint).map(({ id, body: { ppm, inputsHash } }) => ({
        ...{ odds_id: id, ppm, inputs_hash: inputsHash, status: 'computed', recomputed: null },
      }))
      expect(values).toEqual(expect.arrayContaining(expected))
      expect(values).toHaveLength(expected.length)
      expect((await runCommand(registerWhy, args, { env })).error).toMatchObject({
        ...{ name: 'UsageError', message: expect.stringContaining('--in needs --model FILE') },
      })
    })
    test('that ends too early compares nothing', async () => {
      const [mint] = mints as [Key]
      const first = ofMint(mint)[0] as Conclusion
      await writeTape(
        at('early.avro'),
        tape.filter(({ number }) => number < first.number),
        tapeBatchCodec,
      )
      const ran = await why(mint, 'odds', '--in', at('early.avro'), '--at', formatPosition(first))
      expect(ran.code).toBe(0)
      expect(docsIn(ran)[0]).toMatchObject({ recomputed: null, recomputed_reason: 'the tape ends too early', score: null, inputs: null })
    })
  })

  test.each([
    [['odds.rug'], 'use one of odds, odds.rug_within_300s, odds.true_graduation'],
    [['odds', '--model', 'm.json'], '--model needs --in FILE'],
    [['holders', '--model', 'm.json'], '--model can only be used with the field odds'],
    [['odds', '--at', 'alt:5.~'], '--at is a position of the chain alt'],
  ])('%j is refused', async ([field = '', ...args], message) => {
    expect((await why(mints[0] as Key, field, ...args)).error).toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message),
    })
  })
  test('a token of the alt chain has no odds, nor does a coin unknown to the log', async () => {
    const ran = await runCommand(registerWhy, ['why', `0x${'a'.repeat(40)}`, 'odds'], { env: { MINTFOLD_DATA_DIR: dir } })
    expect(ran.error).toMatchObject({ name: 'UsageError', message: expect.stringContaining('have no odds') })
    expect((await why(givenJudgement().mint, 'odds')).error).toMatchObject({ code: 'finding_not_held' })
  })
})

describe('what changed on the log', () => {
  const { mint } = givenJudgement()
  const judged = (number: number, other: Parameters<typeof givenJudgement>[0] = {}) => ({
    ...{ id: `solana:${number}.~@aaaaaaaa:mint:${keyText(mint)}:4`, ...tickOf('solana', number), hash8: 'aaaaaaaa', at: 1_000 + number },
    body: givenJudgement(other),
  })
  const { id } = judged(7)
  const first = { ...tickOf('solana', 7), hash8: 'aaaaaaaa', at: 1_007 }
  /** A log with a judgement, and its odds of both heads by a known model. */
  const given = async (): Promise<Log> => {
    const log = createMemoryLog({ partitions: 1 })
    await publishModel(log, LAUNCH_RISK, FILE)
    await putConclusions(log, TOPICS.judgements, [judged(7)])
    await scoreToEnd(log)
    return log
  }
  const explained = async (log: Log): Promise<readonly OddsDocument[]> =>
    (await oddsKnown(mint, { log, files: undefined, model: undefined, until: undefined }, IO)).map(explainOdds)
  const both = (expected: object): unknown[] => [expect.objectContaining(expected), expect.objectContaining(expected)]

  test('nothing: both values are confirmed', async () => {
    expect(await explained(await given())).toEqual(both({ status: 'logged', judgement_id: id, recomputed: 'same' }))
  })
  test('a rebuild that revises the judgement: names the changed inputs, and the score is that of the new ones', async () => {
    const log = await given()
    const now = { devSoldUnits: 39e12, uniqueBuyers: 8 }
    const [withdrawn, said] = [judged(7), judged(7, now)].map((one) => conclusionCodec.encode(one)) as [Buffer, Buffer]
    const revision = { ...first, id: `${id}:revision:1`, body: { type: 'revision' as const, revision: 1, withdrawn, said } }
    await putConclusions(log, TOPICS.judgements, [revision])
    const [rug, graduation] = await explained(log)
    const inputs = [
      { field: 'inputs.uniqueBuyers', stored: 7, recomputed: 8 },
      { field: 'inputs.devSoldUnits', stored: 10e12, recomputed: 39e12 },
      expect.objectContaining({ field: 'inputs_hash' }),
    ]
    const ppm = { field: 'ppm', stored: rug?.ppm, recomputed: MODEL.score('rug_within_300s', judged(7, now).body) }
    expect(rug).toMatchObject({ recomputed: 'differs', differences: [...inputs, ppm] })
    expect(graduation).toMatchObject({ recomputed: 'differs', differences: inputs })
  })
  test('a fork that retracts both: the values are explained as such', async () => {
    const log = await given()
    const retraction = { ...first, id: 'solana:7.~@aaaaaaaa:retraction:0:1', body: { type: 'retraction' as const, sequence: 1 } }
    await putConclusions(log, TOPICS.judgements, [retraction])
    await scoreToEnd(log)
    expect(await explained(log)).toEqual(both({ status: 'retracted', recomputed: 'same' }))
  })
  test('a value written by hand is not confirmed', async () => {
    const log = await given()
    const [one] = await oddsOn(log)
    await putConclusions(log, TOPICS.odds, [{ ...(one as Conclusion), body: { ...(one as Conclusion).body, ppm: 1 } as never }])
    const [rug] = await explained(log)
    const ppm = { field: 'ppm', stored: 1, recomputed: MODEL.score('rug_within_300s', judged(7).body) }
    expect(rug).toMatchObject({ ppm: 1, recomputed: 'differs', differences: [ppm] })
  })
  test('a model or a judgement that is no longer kept: gives the reason why nothing is compared', async () => {
    const source = await given()
    const log = createMemoryLog({ partitions: 1 })
    await copyTo(log, source, [TOPICS.odds])
    expect(await explained(log)).toEqual(
      both({ recomputed: null, recomputed_reason: expect.stringContaining('no longer has its judgement') }),
    )
    await copyTo(log, source, [TOPICS.judgements])
    const reason = `the log does not have the model ${MODEL.id}: pass its file with --model, and --in`
    expect(await explained(log)).toEqual(both({ recomputed: null, recomputed_reason: reason, score: null }))
  })
})
