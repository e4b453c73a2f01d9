// Lookups for requests: a lane for each kind, and a heartbeat on a connection of its own, which decides what can be sold.
import type { LookupKind, QueryResult } from '../ports/history.ts'
import { createHistoryClient, type HistoryClient } from './client.ts'
import { Lane, type LaneLimits, type Reader } from './lane.ts'
import { StoreHealth } from './store-health.ts'
import type { HistoryTarget } from './target.ts'

/** Evidence is apart from the other free lookups: a finding is what a customer checks a paid card with. */
export type LaneName = LookupKind | 'evidence'
const LANES: Readonly<Record<LaneName, LaneLimits>> = {
  paid: { lookupsMax: 4, waitingMax: 64 },
  quote: { lookupsMax: 2, waitingMax: 16 },
  evidence: { lookupsMax: 2, waitingMax: 16 },
  free: { lookupsMax: 2, waitingMax: 16 },
}

export class Lookups {
  readonly health = new StoreHealth()
  readonly #stop: AbortSignal
  readonly #lanes: Readonly<Record<LaneName, Lane>>
  readonly #pulse: HistoryClient

  constructor(target: HistoryTarget, stop: AbortSignal) {
    this.#stop = stop
    this.#pulse = createHistoryClient(target, undefined, 1)
    const opened = (name: LaneName): Lane =>
      new Lane(createHistoryClient(target, undefined, LANES[name].lookupsMax), LANES[name], this.health)
    this.#lanes = { paid: opened('paid'), quote: opened('quote'), evidence: opened('evidence'), free: opened('free') }
  }
  /** While the store is down no caller waits for it: the heartbeat notices its return. */
  async ask<Value>(name: LaneName, read: (reader: Reader) => Promise<Value>, msMax: number): Promise<QueryResult<Value>> {
    return this.health.state() === 'down' ? this.health.missed() : this.#lanes[name].ask(read, msMax, this.#stop)
  }
  /** Keeps the heartbeat going until the stop. */
  watch(): Promise<void> {
    return this.health.watch((stop) => this.#pulse.rows('SELECT 1', {}, stop), this.#stop)
  }
  async close(): Promise<void> {
    await Promise.all([this.#pulse, ...Object.values(this.#lanes)].map((one) => one.close()))
  }
}
