// The contract suite over a real broker and a real schema registry.
import { openKafkaLog } from '../../topology/logs/kafka/open.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../services/shared.ts'
import { kafkaOptions, openTransaction } from './kafka-given.ts'
import { logContract } from './log-contract.ts'
import { logModel } from './log-model.ts'
import type { LogSetup, OpenLog } from './log-topics.ts'

/** Each opens and creates topics again: a second or more. */
const MODEL_RUNS = 6

const open = async ({ partitions }: LogSetup): Promise<OpenLog> => {
  const options = await kafkaOptions({ partitions })
  let log = await openKafkaLog(options)
  return {
    log,
    reopen: async () => {
      await log.close()
      log = await openKafkaLog(options)
      return log
    },
    openTransaction: (topic, partition) => openTransaction(options, topic, partition),
    close: () => log.close(),
  }
}

describeKafka('the log on Kafka', () => {
  beforeAll(sharedKafka, START_MS_MAX)
  logContract('kafka', open)
  logModel('kafka', open, MODEL_RUNS)
})
