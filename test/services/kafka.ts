// A broker and a schema registry for tests and benches, from wherever this machine has them.
import { programPath } from '../tools/program.ts'
import { startBroker } from './broker.ts'
import { hasDocker, startContainers } from './containers.ts'
import { startRegistry } from './registry.ts'

export interface KafkaServices {
  /** host:port, comma-separated. */
  readonly brokers: string
  readonly registryUrl: string
  /** Stops what `startKafka` started; services that ran already keep running. */
  stop(): Promise<void>
}

/** Where broker and registry come from; for `none`, `startKafka` throws instructions. */
export type KafkaPlace = 'environment' | 'docker' | 'java' | 'none'

/** KAFKA_BROKERS with SCHEMA_REGISTRY_URL, else Docker, else Java with Maven. */
export const findKafka = async (): Promise<KafkaPlace> => {
  const { KAFKA_BROKERS, SCHEMA_REGISTRY_URL } = process.env
  if (KAFKA_BROKERS && SCHEMA_REGISTRY_URL) return 'environment'
  if (await hasDocker()) return 'docker'
  return hasJava() ? 'java' : 'none'
}

/** True if java and mvn are found: then a test may have its own broker, to kill it. */
export const hasJava = (): boolean => ['java', 'mvn'].every((name) => programPath(name) !== undefined)

/** Starts both, or returns those that run already. */
export const startKafka = async (origin: KafkaPlace): Promise<KafkaServices> => {
  if (origin === 'docker') return startContainers()
  if (origin === 'java') return startJava()
  const { KAFKA_BROKERS: brokers, SCHEMA_REGISTRY_URL: registryUrl } = process.env
  if (origin === 'none' || !brokers || !registryUrl) throw new Error(NO_KAFKA)
  return { brokers, registryUrl, stop: async () => {} }
}

/** What to do if there is none. */
export const NO_KAFKA = 'no broker: set KAFKA_BROKERS and SCHEMA_REGISTRY_URL, or start Docker, or install java 17 and mvn'

const startJava = async (): Promise<KafkaServices> => {
  const [broker, registry] = await Promise.all([startBroker(), startRegistry()])
  return {
    brokers: broker.address,
    registryUrl: registry.url,
    stop: async () => {
      await Promise.all([broker.stop(), registry.stop()])
    },
  }
}

/** Runs with services of its own, which are stopped afterwards. */
export const withKafka = async <Result>(run: (services: KafkaServices) => Promise<Result>): Promise<Result> => {
  const services = await startKafka(await findKafka())
  try {
    return await run(services)
  } finally {
    await services.stop()
  }
}
