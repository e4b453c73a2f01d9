// Judgements get their odds: once each, whatever is killed when, and the same as a replay gives them.
import { readModel } from '../../../processors/odds/model.ts'
import { isJudged, oddsOf } from '../../../processors/odds/odds-of.ts'
import { Seeded } from '../../../processors/seeded.ts'
import { conclusionCodec } from '../../../schemas/codecs.ts'
import { EngineError } from '../../../schemas/errors.ts'
import { tickOf } from '../../../schemas/position.ts'
import type { Conclusion, TapeBatch } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { withOwners } from '../../../topology/logs/with-owners.ts'
import { publishModel, TRIALS_MAX } from '../../../topology/odds/publish.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { Replay } from '../../../topology/runtime/replay.ts'
import { batchOf, demoSlots } from '../../fixtures/demo-tape.ts'
import { givenJudgement, givenModelFile } from '../../fixtures/odds-given.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { appendTape, copyTo, foldToEnd } from '../../live.ts'
import { conclusionsOn, foldedTo, oddsOn, putConclusions, recordsOn, runToEnd, scoreToEnd } from './odds-live.ts'

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
    tape = [...demoSlots({ seed: 5, rate: 10, seconds: 240 })].map(batchOf)
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
  /** The judgements of the demo, and the model from before them. */
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

  test('over 100 kills at random commits, before or after they are written, no value is lost, doubled or another one', async () => {
    const log = await given()
    const dice = new Seeded(11)
    let kills = 0
    for (let alive = false; !alive; ) {
      let left = kills < 100 ? Math.floor(dice.next() * 3) : Number.POSITIVE_INFINITY
      const dying = withOwners(log, async (id) => {
        const owner = await log.own(id)
        const commit: typeof owner.commit = async (what) => {
          if (left-- > 0) return owner.commit(what)
          if (dice.next() < 0.5) await owner.commit(what)
          throw new EngineError('log_io', 'killed')
        }
        return { ...owner, committed: () => owner.committed(), commit, release: async () => {} }
      })
      const part = oddsOn(small(dying)).parts[0]?.create()
      if (part === undefined) throw new Error('there is a scorer')
      alive = await runToEnd(part).then(
        () => true,
        () => false,
      )
      kills += Number(!alive)
    }
    expect(kills).toBe(100)
    expect(await bytesOn(log)).toEqual(expected)
  })
  /** Reads of few records, so that there are many commits. */
  const small = (log: Log): Log => ({
    ...withOwners(log, (id) => log.own(id)),
    read: (topic, partition, offset, limits) => log.read(topic, partition, offset, { ...limits, recordsMax: 2 }),
  })
})

test('what a fork took back of the judgements it takes back of the odds, and a branch that comes back has its odds again', async () => {
  const log = logged()
  await publishModel(log, LAUNCH_RISK, FILE)
  await putConclusions(log, TOPICS.judgements, [judged(7), retraction(7), judged(7, {}, 'bbbbbbbb'), retraction(7, 'bbbbbbbb'), judged(7)])
  await scoreToEnd(log)
  const said = (await conclusionsOn(log, TOPICS.odds)).map(({ hash8, body }) => `${hash8} ${body.type}`)
  const [a, b] = ['aaaaaaaa', 'bbbbbbbb']
  expect(said).toEqual([
    ...[`${a} odds`, `${a} odds`, `${a} retraction`, `${b} odds`, `${b} odds`, `${b} retraction`, `${a} odds`, `${a} odds`],
  ])
})

test('a revision of a rebuild is not scored: a logged value never changes', async () => {
  const log = logged()
  await publishModel(log, LAUNCH_RISK, FILE)
  const said = conclusionCodec.encode(judged(7))
  const body = { type: 'revision' as const, revision: 1, withdrawn: null, said }
  await putConclusions(log, TOPICS.judgements, [{ ...judged(7), id: 'x:revision:1', body }])
  await scoreToEnd(log)
  expect(await conclusionsOn(log, TOPICS.odds)).toEqual([])
})

describe('a model that is published', () => {
  test('first is in force at once, scores from then on, and a second time changes nothing', async () => {
    const log = logged()
    await putConclusions(log, TOPICS.judgements, [judged(1)])
    expect(await publishModel(log, LAUNCH_RISK, FILE)).toMatchObject({ isNew: true, state: 'in_force', sequence: 1, inForceSince: 0 })
    expect(await publishModel(log, LAUNCH_RISK, FILE)).toMatchObject({ isNew: false, state: 'in_force', sequence: 1 })
    await scoreToEnd(log)
    const [odds] = await conclusionsOn(log, TOPICS.odds)
    expect(odds?.body).toMatchObject({ type: 'odds', model: MODEL.id, shadow: false, ppm: 427_700, judgement: judged(1).id })
  })
  test('beside one in force is on trial: both score, and its values are shadows', async () => {
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
  test('does not score what was judged before it', async () => {
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
  ])('is refused where it %s', async (_why, file, code) => {
    await expect(publishModel(logged(), LAUNCH_RISK, file)).rejects.toMatchObject({ code })
  })
  test('is refused while too many are on trial', async () => {
    const log = logged()
    for (let n = 0; n <= TRIALS_MAX; n++) await publishModel(log, LAUNCH_RISK, givenModelFile(-n))
    await expect(publishModel(log, LAUNCH_RISK, givenModelFile(1))).rejects.toMatchObject({ code: 'trials_full' })
  })
})
