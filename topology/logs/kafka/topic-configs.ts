// Reads how the brokers keep topics: their settings and their replicas.
import type { Admin, ConfigResourceTypes, ITopicMetadata } from 'kafkajs'

export const MIN_INSYNC = 'min.insync.replicas'

/** Replicas of the partition with the fewest. */
export const copiesOf = ({ partitions }: ITopicMetadata): number => Math.min(...partitions.map(({ replicas }) => replicas.length))

/** Settings by name of each resource: a topic, or a broker by its id. @throws as kafkajs does, also if the user may not read one of them */
export const readConfigs = async (
  admin: Admin,
  type: ConfigResourceTypes,
  names: readonly string[],
  configNames: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> => {
  const resources = names.map((name) => ({ type, name, configNames: [...configNames] }))
  const described = await admin.describeConfigs({ includeSynonyms: false, resources })
  return new Map(
    described.resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]),
  )
}

/** A setting that is a number; null where the brokers do not report it. */
export const numberIn = (settings: ReadonlyMap<string, string> | undefined, name: string): number | null => {
  const value = settings?.get(name)
  return value === undefined ? null : Number(value)
}
