// Who holds up the others: a frame is folded when every task of its chain has told what it knows of the epoch before the last.
import { Gauge, type Registry } from 'prom-client'
import type { BarrierWait } from '../../runtime/runtime.ts'

/** Registers how long tasks of this process wait for each task of the chain; who is not waited for has no series. */
export const barrierMetrics = (registry: Registry, waits: () => readonly BarrierWait[] | Promise<readonly BarrierWait[]>): void => {
  new Gauge({
    name: 'mintfold_barrier_wait_seconds',
    help: 'How long a task of this process has waited for what the task of a partition (writer) tells the others of an epoch.',
    labelNames: ['writer'],
    registers: [registry],
    async collect() {
      const now = await waits()
      this.reset()
      for (const { writer, seconds } of now) this.set({ writer }, seconds)
    },
  })
}
