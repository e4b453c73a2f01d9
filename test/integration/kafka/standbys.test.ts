// Two processes that stand by for each other: partitions move to warm rows, and what both conclude is what one process concludes.

import { openSource } from '../../../topology/cli/wiring/open-source.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { TOPOLOGIES } from '../../../topology/launch-risk.ts'
import { KafkaAssignment } from '../../../topology/logs/kafka/group/assignment.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { withOwners } from '../../../topology/logs/with-owners.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { type Folds, startFolds } from '../../../topology/runtime/runtime.ts'
import { describeKafka, type SharedKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { comparedOf, differencesOf } from '../../soak/compare.ts'
import { kafkaLog } from '../../soak/kafka-world.ts'
import { demoOf } from '../../soak/streams.ts'
import { until } from '../../tools/until.ts'

const PARTITIONS = 4
/** Of tape and decoder, of both chains. */
const SHARES = TOPOLOGIES.length * (PARTITIONS + 1)
const CHANGELOGS = new Set(TOPOLOGIES.flatMap(({ folds }) => folds(PARTITIONS).folds.map(({ changelog }) => changelog.name)))
const demo = (frames: number) =>
  demoOf({ seed: 5, rate: 6, frames, partitions: PARTITIONS, demo: { forks: 600, gap: { fromS: 20, toS: 22 } } })

/** Plays the first frames of the demo into a log. */
const play = async (log: Log, frames: number): Promise<void> => {
  const context = { dataDir: null, stop: new AbortController().signal, folded: () => null }
  const { source } = await openSource(log, { chain: 'solana', options: demo(frames) }, context)
  await source.prepare?.(() => {})
  await source.run()
}

interface Process {
  readonly folds: Folds
  readonly assigned: () => number
  /** Reads of changelogs from their start. */
  readonly restores: () => number
  leave(): Promise<void>
}

const startProcess = async (services: SharedKafka, prefix: string): Promise<Process> => {
  const inner = await kafkaLog(services, prefix, PARTITIONS)
  let [assigned, restores] = [0, 0]
  const log: Log = {
    ...withOwners(inner, (id, isShared) => inner.own(id, isShared)),
    read: (topic, partition, offset, limits) => {
      if (CHANGELOGS.has(topic.name) && offset === 0 && inner.end(topic, partition) > 0) restores++
      return inner.read(topic, partition, offset, limits)
    },
  }
  const group = { group: 'process', weightOf: () => 1, standbys: 1, prefix, notice: () => {} }
  const security = { tls: false, sasl: null }
  const assignment = new KafkaAssignment({ ...group, brokers: services.brokers.split(','), security })
  const folds = await startFolds(log, TOPOLOGIES, DEFAULT_LIMITS, {
    assignment,
    assigned: (_names, partitions) => {
      assigned = partitions.size
    },
  })
  const leave = async (): Promise<void> => {
    await folds.stop()
    await inner.close()
  }
  return { folds, assigned: () => assigned, restores: () => restores, leave }
}

describeKafka('processes that stand by for each other', () => {
  let services: SharedKafka
  beforeAll(async () => {
    services = await sharedKafka()
  }, START_MS_MAX)

  test('a new process takes its share once its standbys are warm, and one that leaves is replaced without a restore', async () => {
    const prefix = `standbys-${process.pid}-${Date.now()}.`
    const source = await kafkaLog(services, prefix, PARTITIONS)
    const first = await startProcess(services, prefix)
    await play(source, 60)
    await first.folds.caughtUp()
    const second = await startProcess(services, prefix)
    await until(async () => second.assigned() > 0 && first.assigned() + second.assigned() === SHARES)
    await until(async () => first.folds.standbys().warm === second.assigned())
    await until(async () => second.folds.standbys().warm === first.assigned())
    const restores = first.restores()
    await play(source, 120)
    await second.leave()
    await until(async () => first.assigned() === SHARES)
    await first.folds.caughtUp()
    expect(first.restores()).toBe(restores)
    const expected = createMemoryLog({ partitions: PARTITIONS })
    const alone = await startFolds(expected, TOPOLOGIES)
    await play(expected, 120)
    await alone.caughtUp()
    await source.refresh()
    const found = await comparedOf(source)
    expect(found).not.toBeNull()
    expect(differencesOf(found ?? {}, (await comparedOf(expected)) ?? {})).toEqual([])
    await Promise.all([first.leave(), alone.stop()])
    await source.close()
  }, 240_000)
})
