// The scorer gives each judgement its odds exactly once, the same as a replay gives, whenever it is killed.
import { readModel } from '../../../processors/odds/model.ts'
import { isJudged, oddsOf } from '../../../processors/odds/odds-of.ts'
import { conclusionCodec } from '../../../schemas/codecs.ts'
import { tickOf } from '../../../schemas/position.ts'
import type { Conclusion, TapeBatch } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { publishModel, TRIALS_MAX } from '../../../topology/odds/publish.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { Replay } from '../../../topology/runtime/replay.ts'
import { batchOf, demoSlots } from '../../fixtures/demo-tape.ts'
import { givenJudgement, givenModelFile } from '../../fixtures/odds-given.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { appendTape, copyTo, foldToEnd } from '../../live.ts'
import { conclusionsOn, foldedTo, putConclusions, recordsOn, scoreToEnd, scoreWithKills } from './odds-live.ts'

const PARTITIONS = 3
const FILE = givenModelFile()
const MODEL = readModel(FILE)
const logged = (): Log => createMemoryLog({ partitions: PARTITIONS })

const judged = (number: number, other: Parameters<typeof givenJudgement>[0] = {}, hash8 = 'aaaaaaaa'): Conclusion => ({
  ...{ id: `solana:${number}.~@${hash8}:mint:x:4`, ...tickOf('solana', number), hash8, at: 1_000 + number, body: givenJudgement(other) },
})
const retraction = (number: number, hash8 = 'aaaaaaaa'): Conclusion => ({
  ...{ id: `solana:${number}.~@${hash8}:retraction:0:1`, ...tickOf('solana', number), hash8, at: 1_000 + number },
  body: { type: 'retraction', sequence: 1 },
})

describe('the demo', () => {
  let tape: TapeBatch[]
  let source: Log
  let expected: string[]
  beforeAll(async () => {
    tape = [...demoSlots({ seed: 5, rate: 10, seconds: 300 })].map(batchOf)
    source = logged()
    await appendTape(source, tape)
    await foldToEnd(source, DEFAULT_LIMITS)
    const folds = new Replay(LAUNCH_RISK)
    const scorers = [{ model: MODEL, shadow: false }]
    expected = tape
      .flatMap((batch) => folds.batch(batch).conclusions.filter(isJudged))
      .flatMap((one) => oddsOf(one, scorers).map((odds) => conclusionCodec.encode(odds).toString('hex')))
      .sort()
  })
  /** A log with the model, and after it the judgements of the demo. */
  const given = async (): Promise<Log> => {
    const log = logged()
    await publishModel(log, LAUNCH_RISK, FILE)
    await copyTo(log, source, [TOPICS.judgements])
    return log
  }
  const bytesOn = async (log: Log): Promise<string[]> =>
    (await recordsOn(log, TOPICS.odds)).map((text) => text.split(' ')[1] as string).sort()

  test('the scorer logs the same bytes as a replay with the same model', async () => {
    const log = await given()
    await scoreToEnd(log)
    expect(expected.length).toBeGreaterThan(300)
    expect(await bytesOn(log)).toEqual(expected)
  })

  test('through 100 kills at random commits, before or after they are written, no value is lost, duplicated or changed', async () => {
    const log = await given()
    expect(await scoreWithKills(log, 100, 11)).toBe(100)
    expect(await bytesOn(log)).toEqual(expected)
  })
})

test('a fork retracts odds with their judgements, and a returning branch has its odds again', async () => {
  const log = logged()
  await publishModel(log, LAUNCH_RISK, FILE)
  await putConclusions(log, TOPICS.judgements, [judged(7), retraction(7), judged(7, {}, 'bbbbbbbb'), retraction(7, 'bbbbbbbb'), judged(7)])
  await scoreToEnd(log)
  const onLog = (await conclusionsOn(log, TOPICS.odds)).map(({ hash8, body }) => `${hash8} ${body.type}`)
  const [a, b] = ['aaaaaaaa', 'bbbbbbbb']
  expect(onLog).toEqual([
    ...[`${a} odds`, `${a} odds`, `${a} retraction`, `${b} odds`, `${b} odds`, `${b} retraction`, `${a} odds`, `${a} odds`],
  ])
})

test('does not score a revision of a rebuild: a logged value never changes', async () => {
  const log = logged()
  await publishModel(log, LAUNCH_RISK, FILE)
  const said = conclusionCodec.encode(judged(7))
  const body = { type: 'revision' as const, revision: 1, withdrawn: null, said }
  await putConclusions(log, TOPICS.judgements, [{ ...judged(7), id: 'x:revision:1', body }])
  await scoreToEnd(log)
  expect(await conclusionsOn(log, TOPICS.odds)).toEqual([])
})

describe('a published model', () => {
  test('is in force at once if it is the first, scores from then on, and a second publication changes nothing', async () => {
    const log = logged()
    await putConclusions(log, TOPICS.judgements, [judged(1)])
    expect(await publishModel(log, LAUNCH_RISK, FILE)).toMatchObject({ isNew: true, state: 'in_force', sequence: 1, inForceSince: 0 })
    expect(await publishModel(log, LAUNCH_RISK, FILE)).toMatchObject({ isNew: false, state: 'in_force', sequence: 1 })
    await scoreToEnd(log)
    const [odds] = await conclusionsOn(log, TOPICS.odds)
    expect(odds?.body).toMatchObject({ type: 'odds', model: MODEL.id, shadow: false, ppm: 427_700, judgement: judged(1).id })
  })
  test('is on trial if another is in force: both score, and its values are shadows', async () => {
    const log = logged()
    await publishModel(log, LAUNCH_RISK, FILE)
    const second = await publishModel(log, LAUNCH_RISK, givenModelFile(0))
    expect(second).toMatchObject({ isNew: true, state: 'trial', sequence: 2, inForceSince: null })
    await putConclusions(log, TOPICS.judgements, [judged(1, { buys: 1 })])
    await scoreToEnd(log)
    const odds = (await conclusionsOn(log, TOPICS.odds)).map(({ body }) => body)
    expect(odds).toMatchObject([
      { model: MODEL.id, shadow: false },
      { model: second.id, shadow: true },
    ])
  })
  test('does not score earlier judgements', async () => {
    const log = logged()
    await putConclusions(log, TOPICS.judgements, [judged(1)])
    await foldedTo(log, 1_002)
    await publishModel(log, LAUNCH_RISK, FILE)
    await scoreToEnd(log)
    expect(await conclusionsOn(log, TOPICS.odds)).toEqual([])
  })
  test.each([
    ['is no model', Buffer.from('{}'), 'model_unfit'],
    ['is cut short', FILE.subarray(0, 500), 'model_unfit'],
  ])('is refused if it %s', async (_why, file, code) => {
    await expect(publishModel(logged(), LAUNCH_RISK, file)).rejects.toMatchObject({ code })
  })
  test('is refused while too many are on trial', async () => {
    const log = logged()
    for (let n = 0; n <= TRIALS_MAX; n++) await publishModel(log, LAUNCH_RISK, givenModelFile(-n))
    await expect(publishModel(log, LAUNCH_RISK, givenModelFile(1))).rejects.toMatchObject({ code: 'trials_full' })
  })
})
