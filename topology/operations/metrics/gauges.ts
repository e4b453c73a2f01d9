// Gauges that are read when somebody asks for them.
import { Gauge, type Registry } from 'prom-client'
import type { Chain } from '../../../schemas/types.ts'
import type { ThreadMemory } from '../../threads/here.ts'

export type GaugeOf = (name: string, help: string, read: () => number | null) => void

/** Registers a gauge that is read at each scrape; while it is not known it has no value. */
export const gaugesOf =
  (registry: Registry): GaugeOf =>
  (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const value = read()
        if (value === null) this.remove()
        else this.set(value)
      },
    })
  }

/** Something of a chain that figures are of. */
export interface OfChain {
  readonly chain: Chain
}
export type ChainGaugeOf<Of extends OfChain> = (name: string, help: string, read: (of: Of) => number | null) => void

/** As `gaugesOf`, for each chain with its name as label. */
export const chainGaugesOf =
  <Of extends OfChain>(registry: Registry, all: readonly Of[]): ChainGaugeOf<Of> =>
  (name, help, read) => {
    new Gauge({
      name,
      help,
      labelNames: ['chain'],
      registers: [registry],
      collect() {
        for (const of of all) {
          const { chain } = of
          const value = read(of)
          if (value === null) this.remove({ chain })
          else this.set({ chain }, value)
        }
      },
    })
  }

/** Registers what a thread of this process holds; the figures of Node itself are of the main thread, but for resident memory. */
export const threadMetrics = (registry: Registry, thread: string, memory: () => Promise<ThreadMemory>): void => {
  new Gauge({
    name: 'mintfold_thread_memory_bytes',
    help: 'Memory of a thread beside the main one: its heap, and what that refers to outside of it.',
    labelNames: ['thread', 'kind'],
    registers: [registry],
    async collect() {
      const { heapBytes, externalBytes } = await memory()
      this.set({ thread, kind: 'heap' }, heapBytes)
      this.set({ thread, kind: 'external' }, externalBytes)
    },
  })
}
