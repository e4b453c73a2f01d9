// The log with a day of today's launches and trades.
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import type { KafkaLog } from '../../../topology/logs/kafka/kafka.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { topicsOf } from '../../../topology/topology.ts'
import type { Services } from './engine.ts'

/** Of the product. */
export const PARTITIONS = 12
export const READY_PREFIX = 'bench.ready.'

export const openReadyLog = ({ brokers, registryUrl }: Services): Promise<KafkaLog> =>
  openKafkaLog({
    brokers: brokers.split(','),
    registry: { url: registryUrl, login: null },
    security: { tls: false, sasl: null },
    durable: 'none',
    prefix: READY_PREFIX,
    partitions: PARTITIONS,
    topics: topicsOf(LAUNCH_RISK),
    ...LAUNCH_RISK.operations.kafka.writes,
    notice: (message) => process.stderr.write(`${message}\n`),
  })
