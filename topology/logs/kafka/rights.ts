// Whether this login may use a group and a transactional id: the brokers say who coordinates them only to who may.
import type { Cluster, Kafka } from 'kafkajs'
import { createCluster } from './client.ts'

const COORDINATOR_TYPES = { group: 0, transactionalId: 1 } as const

export type Coordinated = keyof typeof COORDINATOR_TYPES

/** kafkajs types the question for groups alone. */
type Asking = { findGroupCoordinator(whose: { readonly groupId: string; readonly coordinatorType: number }): Promise<unknown> }

/** Leaves nothing. @throws what the brokers refuse it with */
export const tryCoordinators = async (kafka: Kafka, names: Readonly<Record<Coordinated, string>>): Promise<void> => {
  const cluster: Cluster = createCluster(kafka)
  try {
    await cluster.connect()
    for (const kind of Object.keys(COORDINATOR_TYPES) as Coordinated[])
      await (cluster as unknown as Asking).findGroupCoordinator({ groupId: names[kind], coordinatorType: COORDINATOR_TYPES[kind] })
  } finally {
    await cluster.disconnect().catch(() => {})
  }
}
