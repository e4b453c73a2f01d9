// Gauges that are read when somebody asks for them.
import { Gauge, type Registry } from 'prom-client'

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
