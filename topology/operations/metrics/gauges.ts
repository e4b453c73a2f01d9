// Gauges that are read at each scrape.
import { Gauge, type Registry } from 'prom-client'
import type { Chain } from '../../../schemas/types.ts'
import type { ThreadMemory } from '../../threads/here.ts'

export type GaugeOf = (name: string, help: string, read: () => number | null) => void

/** Registers a gauge that is read at each scrape; it has no value while the figure is unknown. */
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

/** Something that belongs to a chain. */
export interface OfChain {
  readonly chain: Chain
}
export type ChainGaugeOf<Of extends OfChain> = (name: string, help: string, read: (of: Of) => number | null) => void

/** Like `gaugesOf`, for each chain, with its name as a label. */
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

/** Registers the memory of threads, by name; Node's own metrics cover only the main thread, except for resident memory. */
export const threadMetrics = (registry: Registry, memory: () => Promise<ReadonlyMap<string, ThreadMemory>>): void => {
  new Gauge({
    name: 'mintfold_thread_memory_bytes',
    help: 'Memory of a worker thread: its heap, and the external memory that the heap refers to.',
    labelNames: ['thread', 'kind'],
    registers: [registry],
    async collect() {
      for (const [thread, { heapBytes, externalBytes }] of await memory()) {
        this.set({ thread, kind: 'heap' }, heapBytes)
        this.set({ thread, kind: 'external' }, externalBytes)
      }
    },
  })
}
