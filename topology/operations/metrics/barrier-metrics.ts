// Metrics of tasks: standbys, and the epoch barrier: a frame is folded once every task of its chain has sent its messages for the epoch
// before the previous one.
import { Gauge, type Registry } from 'prom-client'
import type { BarrierWait, Standbys } from '../../runtime/runtime.ts'

/** Registers how long tasks of this process have waited for each task of the chain; a task that none waits for has no series. */
export const barrierMetrics = (registry: Registry, waits: () => readonly BarrierWait[] | Promise<readonly BarrierWait[]>): void => {
  new Gauge({
    name: 'mintfold_barrier_wait_seconds',
    help: 'How long a task of this process has waited for the messages of an epoch from the task of a partition (writer).',
    labelNames: ['writer'],
    registers: [registry],
    async collect() {
      const now = await waits()
      this.reset()
      for (const { writer, seconds } of now) this.set({ writer }, seconds)
    },
  })
}

/** Registers the partitions for which this process stands by. */
export const standbyMetrics = (registry: Registry, standbys: () => Standbys): void => {
  new Gauge({
    name: 'mintfold_standby_partitions',
    help: 'Partitions whose rows this process keeps up to date for a takeover: warm, or cold while they are still being read.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, partitions] of Object.entries(standbys())) this.set({ state }, partitions)
    },
  })
}
