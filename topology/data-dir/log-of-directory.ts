// Which log on Kafka a data directory belongs to: its snapshots, staging stores and payments are of no use with another log, or harmful.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { EngineError } from '../../schemas/errors.ts'

const FILE = 'kafka.json'

const schema = z.object({ cluster: z.string(), prefix: z.string(), topic: z.string() })
/** A log on Kafka: the id of the cluster, the prefix of its topics, and the id of one of them, which a topic made again does not keep. */
export type KafkaLogName = z.infer<typeof schema>

/** The log that the directory belongs to; undefined if none is recorded, or the record is damaged. */
export const readLogName = (dir: string): KafkaLogName | undefined => {
  try {
    return schema.safeParse(JSON.parse(readFileSync(join(dir, FILE), 'utf8'))).data
  } catch {
    return undefined
  }
}

/** A kill leaves the former record or the new one. */
export const writeLogName = (dir: string, name: KafkaLogName): void => {
  const path = join(dir, FILE)
  writeFileSync(`${path}.tmp`, JSON.stringify(name), { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}

/** @throws EngineError `data_dir_log` if the directory belongs to another cluster or prefix; an empty `cluster` is unknown */
export const checkLogName = (dir: string, found: KafkaLogName | undefined, now: Omit<KafkaLogName, 'topic'>): void => {
  if (found === undefined) return
  const isOther = found.prefix !== now.prefix || (found.cluster !== '' && now.cluster !== '' && found.cluster !== now.cluster)
  if (!isOther) return
  const text = ({ cluster, prefix }: Omit<KafkaLogName, 'topic'>): string =>
    `${cluster === '' ? 'topics' : `cluster ${cluster}, topics`} with the prefix "${prefix}"`
  throw new EngineError(
    'data_dir_log',
    `MINTFOLD_DATA_DIR: ${dir} belongs to another log on Kafka (${text(found)}), not to this one (${text(now)}): set MINTFOLD_DATA_DIR to ` +
      `another directory, or KAFKA_BROKERS and MINTFOLD_TOPIC_PREFIX to that log; for a serve that moves to the topics of mintfold ` +
      `repartition, delete ${FILE} there`,
    { facts: { place: dir, held: found.cluster, heldPrefix: found.prefix, asked: now.cluster, askedPrefix: now.prefix } },
  )
}
