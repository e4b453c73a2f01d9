// `mintfold repartition`: fills topics with another prefix and another number of partitions, and follows until capture runs on them.
import { join } from 'node:path'
import { openDataDir } from '../../data-dir/directory.ts'
import { holdDirectory } from '../../data-dir/hold-directory.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import { limitsOfTask } from '../../runtime/runtime.ts'
import { type RepartitionOptions, repartition } from '../../versions/partitions/repartition.ts'
import { stagingIn } from '../../versions/rebuild/staging-stores.ts'
import { type Io, type Register, UsageError } from '../command.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { settingsWithoutApi } from '../settings/settings.ts'
import { addBrokerOptions, type BrokerOptions, envWith, type KafkaSettings, PREFIX } from '../settings/settings-kafka.ts'
import { PARTITIONS_MAX } from '../settings/settings-shares.ts'
import { Closing } from '../start/closing.ts'
import { rebuildThreadsOf } from '../start/shared-folds.ts'
import { wholeIn } from '../whole-number.ts'
import { openShared } from '../wiring/open-kafka.ts'
import { openPages } from '../wiring/open-pages.ts'

interface RepartitionCommandOptions extends BrokerOptions {
  readonly to: string
  readonly partitions: number
}

export const register: Register = (command, io) => {
  command.description(
    'Changes the number of partitions on Kafka: fills topics with another prefix while everything runs on the present ones, then copies each ' +
      'new frame to them. Start process and serve on the new topics, and capture last: with it, this command ends. A run that was stopped ' +
      'continues; in the other direction, the command leads back.',
  )
  addBrokerOptions(command)
    .requiredOption('--to <prefix>', 'MINTFOLD_TOPIC_PREFIX of the topics to fill; those of MINTFOLD_TOPIC_PREFIX are read')
    .requiredOption('--partitions <n>', 'MINTFOLD_PARTITIONS of the topics to fill', wholeIn(1, PARTITIONS_MAX))
    .action((options: RepartitionCommandOptions) => run(options, io))
}

const run = async (options: RepartitionCommandOptions, io: Io): Promise<void> => {
  const { to: prefix, partitions } = options
  const settings = settingsWithoutApi(envWith(io.env, options))
  const kafka = kafkaOf(settings.kafka, prefix)
  const notice = noticesTo(createLogger({ logLevel: settings.logLevel, terminal: io.terminal }))
  await new Closing(io.printNotice).after(async (closing) => {
    openDataDir(settings.dataDir)
    closing.add('directory', await holdDirectory(join(settings.dataDir, 'held')))
    const from = await openShared(settings, kafka, closing, notice)
    const to = await openShared({ ...settings, partitions }, { ...kafka, prefix }, closing, notice, 'all')
    const limits = limitsOfTask(from, TOPOLOGIES, DEFAULT_LIMITS)
    const shared = {
      ...{ from, to, committed: (id: string) => from.peek(id) },
      limits,
      pages: openPages(settings, closing),
      foldThreads: rebuildThreadsOf(settings, notice),
    }
    const follows = followsOf(io, `MINTFOLD_TOPIC_PREFIX=${prefix} and MINTFOLD_PARTITIONS=${partitions}`)
    const over = new AbortController()
    const ends = TOPOLOGIES.map((topology) => ({
      isUsed: () => from.end(topology.operations.rebuild.reads.raw, 0) > 0,
      end: repartition({
        ...{ ...shared, topology, follows, staging: stagingIn(settings.dataDir)(topology.chain) },
        stop: AbortSignal.any([io.stop, over.signal]),
        progress: phasesOf(topology.chain.name, io),
      }),
    }))
    const areMoved = await untilMoved(ends).finally(async () => {
      over.abort()
      await Promise.allSettled(ends.map(({ end }) => end))
    })
    io.printNotice(
      areMoved.every(Boolean)
        ? `another process writes the frames of ${prefix}: capture runs there, and nothing is left to copy`
        : 'stopped: the topics stay as they are; run the command again to go on',
    )
  })
}

/** @throws UsageError */
const kafkaOf = (kafka: KafkaSettings | null, prefix: string): KafkaSettings => {
  if (kafka === null)
    throw new UsageError(
      'KAFKA_BROKERS is not set: only topics on Kafka can get another number of partitions; set it and SCHEMA_REGISTRY_URL',
    )
  const read = PREFIX.safeParse(prefix)
  if (!read.success) throw new UsageError(`--to ${prefix}: ${read.error.issues[0]?.message}`)
  if (prefix === kafka.prefix) throw new UsageError(`--to ${prefix} is MINTFOLD_TOPIC_PREFIX itself: name another prefix`)
  return kafka
}

interface ChainEnd {
  readonly isUsed: () => boolean
  readonly end: Promise<boolean>
}
/** Results of all chains with frames: no capture takes over one without. */
const untilMoved = async (ends: readonly ChainEnd[]): Promise<readonly boolean[]> => {
  await Promise.race(ends.map(({ end }) => end))
  return Promise.all(ends.filter(({ isUsed }) => isUsed()).map(({ end }) => end))
}

/** Prints the next steps once all chains follow. */
const followsOf = (io: Io, settings: string): (() => void) => {
  let left = TOPOLOGIES.length
  return () => {
    left--
    if (left > 0) return
    io.printNotice(
      `the new topics have everything and follow. Start process and serve with ${settings}; when they are ready, start capture with them`,
    )
  }
}

/** Prints each phase once. */
const phasesOf = (chain: string, io: Io): RepartitionOptions['progress'] => {
  let printed = ''
  return ({ phase }) => {
    if (phase !== printed) io.printNotice(`${chain}: ${phase}`)
    printed = phase
  }
}
