// Broker and registry as containers, if a Docker engine responds.
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { freePort } from '../tools/free-port.ts'
import type { KafkaServices } from './kafka.ts'

const SOCKET = '/var/run/docker.sock'
const BROKER_IMAGE = 'apache/kafka:4.1.0'
const REGISTRY_IMAGE = 'apicurio/apicurio-registry-mem:2.6.13.Final'

/** True if something responds on Docker's socket, or DOCKER_HOST names another. */
export const hasDocker = async (): Promise<boolean> => {
  if (process.env.DOCKER_HOST) return true
  const socket = createConnection(SOCKET)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const brokerSettings = (port: number): Record<string, string> => ({
  KAFKA_NODE_ID: '1',
  KAFKA_PROCESS_ROLES: 'broker,controller',
  KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
  KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
  KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
  KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
  KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
  KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
  KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
  KAFKA_TRANSACTION_ABORT_TIMED_OUT_TRANSACTION_CLEANUP_INTERVAL_MS: '1000',
  KAFKA_LOG_RETENTION_CHECK_INTERVAL_MS: '1000',
  KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
})

/** Starts both. Imports the package only here: it is large, and most runs need none of it. */
export const startContainers = async (): Promise<KafkaServices> => {
  const { GenericContainer, Wait } = await import('testcontainers')
  const port = await freePort()
  const [broker, registry] = await Promise.all([
    new GenericContainer(BROKER_IMAGE)
      .withExposedPorts({ container: 9092, host: port })
      .withEnvironment(brokerSettings(port))
      .withWaitStrategy(Wait.forLogMessage('Kafka Server started'))
      .start(),
    new GenericContainer(REGISTRY_IMAGE)
      .withExposedPorts(8080)
      .withEnvironment({ REGISTRY_RULES_GLOBAL_COMPATIBILITY: 'BACKWARD' })
      .withWaitStrategy(Wait.forLogMessage(/Listening on: http/))
      .start(),
  ])
  return {
    brokers: `127.0.0.1:${port}`,
    registryUrl: `http://${registry.getHost()}:${registry.getMappedPort(8080)}/apis/ccompat/v7`,
    stop: async () => {
      await Promise.all([broker.stop(), registry.stop()])
    },
  }
}
