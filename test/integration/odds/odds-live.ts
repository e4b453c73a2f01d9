// Odds over an in-process log: runs a part, such as the scorer, until nothing is left to do.
import { Seeded } from '../../../processors/seeded.ts'
import { conclusionCodec, modelCodec, progressCodec } from '../../../schemas/codecs.ts'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import type { Conclusion, ModelRecord } from '../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { withOwners } from '../../../topology/logs/with-owners.ts'
import { type ChainOdds, oddsOfChain } from '../../../topology/odds/odds-parts.ts'
import type { Log } from '../../../topology/ports/log.ts'
import type { Notice } from '../../../topology/ports/notice.ts'
import type { RunningTask } from '../../../topology/runtime/task-spec.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { readAll } from '../../live.ts'

export const oddsOn = (log: Log, notice: Notice = () => {}): ChainOdds => oddsOfChain(log, LAUNCH_RISK, notice, () => 0)

/** Runs a part until it has caught up. Rejects with the failure that ends it earlier. */
export const runToEnd = async (work: RunningTask): Promise<void> => {
  await work.restore()
  const run = work.run()
  for (let idle = 0; idle < 2; idle = work.isCaughtUp ? idle + 1 : 0) await Promise.race([run, new Promise((done) => setTimeout(done, 1))])
  work.stop()
  await run
}

/** Runs the scorer as a newly started process does, until it has caught up. */
export const scoreToEnd = async (log: Log): Promise<void> => runToEnd(oddsOn(log).parts[0]?.create() as RunningTask)

/** Reads of at most two records, for many commits. */
const inSmallReads = (log: Log): Log => ({
  ...withOwners(log, (id) => log.own(id)),
  read: (topic, partition, offset, limits) => log.read(topic, partition, offset, { ...limits, recordsMax: 2 }),
})

/**
 * Scores to the end with up to `killsMax` kills on the way. Each kill is at a random commit, before or after it is written; the next scorer
 * continues from the log. Returns the number of kills, which is lower if the judgements end earlier.
 */
export const scoreWithKills = async (log: Log, killsMax: number, seed: number): Promise<number> => {
  const dice = new Seeded(seed)
  for (let kills = 0; ; kills++) {
    let left = kills < killsMax ? Math.floor(dice.next() * 3) : Number.POSITIVE_INFINITY
    const dying = withOwners(log, async (id) => {
      const owner = await log.own(id)
      const commit: typeof owner.commit = async (what) => {
        if (left-- > 0) return owner.commit(what)
        if (dice.next() < 0.5) await owner.commit(what)
        throw new EngineError('log_io', 'killed')
      }
      return { ...owner, committed: () => owner.committed(), commit, release: async () => {} }
    })
    const work = oddsOn(inSmallReads(dying)).parts[0]?.create() as RunningTask
    const isAlive = await runToEnd(work).then(
      () => true,
      (failure: unknown) => {
        if (!hasCode(failure, 'log_io')) throw failure
        return false
      },
    )
    if (isAlive) return kills
  }
}

/** Writes a model's record, for tests of what follows from its state. They have no other writer of models. */
export const putModel = async (log: Log, record: ModelRecord): Promise<void> => {
  const owner = await log.own('test-models')
  const outputs = [{ topic: TOPICS.models, partition: 0, key: Buffer.from(record.id), value: modelCodec.encode(record) }]
  await owner.commit({ outputs, inputs: new Map() })
}

/** Appends conclusions to a topic as the folds do. */
export const putConclusions = async (
  log: Log,
  topic: typeof TOPICS.judgements,
  conclusions: readonly Conclusion[],
  partition = 0,
): Promise<void> => {
  const owner = await log.own(`test-${topic.name}`)
  const outputs = conclusions.map((one) => ({ topic, partition, key: Buffer.from(one.id), value: conclusionCodec.encode(one) }))
  await owner.commit({ outputs, inputs: new Map() })
}

/** Each record as text: key and value in hex. */
export const recordsOn = async (log: Log, topic: typeof TOPICS.odds): Promise<string[]> =>
  (await readAll(log, topic)).map(({ key, value }) => `${Buffer.from(key).toString('hex')} ${Buffer.from(value ?? []).toString('hex')}`)

export const conclusionsOn = async (log: Log, topic: typeof TOPICS.odds): Promise<Conclusion[]> =>
  (await readAll(log, topic)).map(({ value }) => {
    const read = conclusionCodec.decode(value as Uint8Array)
    if (!read.ok) throw new Error(read.reason)
    return read.value
  })

/** Writes progress records that state that every task has folded up to this time, unix seconds. */
export const foldedTo = async (log: Log, time: number): Promise<void> => {
  const owner = await log.own('test-progress')
  const frame = { chain: 'solana' as const, number: time, hash8: 'aaaaaaaa', time, gapFrom: null, gapTo: null }
  const outputs = Array.from({ length: log.partitions(TOPICS.progress) }, (_, partition) => {
    const task = `mint-${partition}`
    const value = progressCodec.encode({ task, ...frame, confirmed: null, finalized: null, forks: 0 })
    return { topic: TOPICS.progress, partition, key: Buffer.from(task), value }
  })
  await owner.commit({ outputs, inputs: new Map() })
}
