// Seeded faults at every point of a payment: each payment in the ledger has exactly one answer, and each answer a payment.
import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import type { Claimed, IdempotencyStore, PaymentEntry } from '../../query-api/payment/stores/idempotency-store.ts'
import { RedisIdempotencyStore } from '../../query-api/payment/stores/redis-store.ts'
import { TableIdempotencyStore } from '../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../topology/data-dir/memory-table.ts'
import { type Shop, startWorld, type World } from '../integration/payment/world.ts'
import { Dice } from '../simulation/dice.ts'
import { Errand, type Event, KINDS, type Shops } from './payments-errand.ts'

/** Factor on the price, so that the sandbox's buyer can afford some ten thousand purchases. */
const PRICE_FACTOR = 0.04
const PRICE_MICRO_USDC = 1000
/** Far above what the sandbox takes, even on a busy machine: injected hangs end by themselves. */
const FACILITATOR_MS_MAX = 20_000
const HANG_MS = 60
const LEASE_MS = 2_000
const FAILURES_MAX = 5
/** Lanes run concurrently, because most of a run is waiting. */
const LANES = 3

export interface PaymentsReport {
  readonly seeds: number
  readonly from: number
  readonly seconds: number
  readonly answered: number
  readonly paidMicroUsdc: number
  readonly happened: Readonly<Record<string, number>>
  /** Kinds of events that never happened: the run has not covered everything. */
  readonly never: readonly string[]
  /** Failed seeds, each with its violations. */
  readonly failures: readonly { readonly seed: number; readonly broken: readonly string[] }[]
}

/** Opens the idempotency store of another process; all share the same table. */
export type OpenBook = (now: () => number) => Promise<IdempotencyStore>

interface Process {
  readonly shop: Shop
  kill(): void
}

/** A store of a process that can be killed: after that nothing is written and no call returns. */
const mortal = (book: IdempotencyStore): { readonly book: IdempotencyStore; kill(): void } => {
  let isDead = false
  const alive = <T>(run: () => Promise<T>): Promise<T> => (isDead ? new Promise<T>(() => undefined) : run())
  const claimed = (made: Claimed): Claimed => {
    if (made.kind !== 'claimed') return made
    const { entry, put, remove, refuse, release } = made.claim
    return {
      kind: 'claimed',
      claim: {
        entry,
        put: (next) => alive(() => put(next)),
        remove: () => alive(remove),
        refuse: (reason) => alive(() => refuse(reason)),
        release: () => alive(release),
      },
    }
  }
  return {
    book: {
      claim: (identity, identifier) => alive(async () => claimed(await book.claim(identity, identifier))),
      has: (identity, identifier) => alive(() => book.has(identity, identifier)),
      close: () => book.close(),
    },
    kill: () => {
      isDead = true
      void book.close()
    },
  }
}

/** Keeps this many servers up over one store, and kills them. */
class Row implements Shops {
  readonly #world: World
  readonly #openBook: OpenBook
  readonly #up: Process[] = []
  readonly several: boolean

  constructor(world: World, openBook: OpenBook, count: number) {
    this.#world = world
    this.#openBook = openBook
    this.several = count > 1
  }
  url(dice: Dice): string {
    return dice.pick(this.#up).shop.url
  }
  async start(): Promise<void> {
    const { book, kill } = mortal(await this.#openBook(() => Date.now() + this.#world.time.offsetMs))
    const shop = await this.#world.open({ book, priceFactor: PRICE_FACTOR, facilitatorTimeoutMs: FACILITATOR_MS_MAX })
    this.#up.push({ shop, kill })
  }
  async restart(): Promise<void> {
    const victim = this.#up.shift()
    victim?.kill()
    await victim?.shop.cut()
    await this.start()
  }
  async close(): Promise<void> {
    for (const { shop, kill } of this.#up) {
      kill()
      await shop.cut()
    }
  }
}

interface Outcome {
  readonly answered: number
  readonly happened: readonly Event[]
  readonly broken: readonly string[]
}

/** Runs one or two purchases, one after the other, over one store. */
const runSeed = async (seed: number, world: World, openBook: OpenBook, shops: number): Promise<Outcome> => {
  const dice = new Dice(seed, 'payments')
  const row = new Row(world, openBook, shops)
  for (let started = 0; started < shops; started++) await row.start()
  let answered = 0
  const [happened, broken]: [Event[], string[]] = [[], []]
  try {
    for (let errand = dice.int(1, 2); errand > 0; errand--) {
      const before = await world.spentMicroUsdc()
      const report = await new Errand(world, row, dice, `${seed}-${errand}`).run()
      const paid = (await world.spentMicroUsdc()) - before
      const due = report.answered ? PRICE_MICRO_USDC : 0
      happened.push(...report.happened)
      const breaches = [...report.broken]
      if (paid !== due) breaches.push(`paid ${paid} micro-USDC for ${report.answered ? 'an answer' : 'nothing'}`)
      if (breaches.length > 0) broken.push(...breaches, report.story)
      if (report.answered) answered++
    }
  } finally {
    await row.close()
  }
  return { answered, happened, broken }
}

/** Shared counters of the lanes. */
interface Tally {
  next: number
  answered: number
  paidMicroUsdc: number
  readonly counts: Map<Event, number>
  readonly failures: { readonly seed: number; readonly broken: readonly string[] }[]
}

/** Runs seeds one after the other on a separate sandbox. */
const runLane = async (plan: PaymentsPlan, tally: Tally): Promise<void> => {
  const { seeds, from, openStore, shops, print } = plan
  const world = await startWorld({ priceFactor: PRICE_FACTOR })
  world.facilitator.hangMs = HANG_MS
  try {
    while (tally.next < seeds && tally.failures.length < FAILURES_MAX) {
      const seed = from + tally.next++
      const outcome = await runSeed(seed, world, openStore(), shops)
      tally.answered += outcome.answered
      for (const kind of outcome.happened) tally.counts.set(kind, (tally.counts.get(kind) ?? 0) + 1)
      if (outcome.broken.length > 0) {
        tally.failures.push({ seed, broken: outcome.broken })
        print(`seed ${seed} fails: ${outcome.broken.join('; ')}`)
      }
      if (tally.next % 100 === 0) print(`payments: ${tally.next} of ${seeds} seeds`)
    }
    const spent = await world.spentMicroUsdc()
    tally.paidMicroUsdc += spent
  } finally {
    await world.close()
  }
}

export interface PaymentsPlan {
  readonly seeds: number
  readonly from: number
  /** Creates the store that the servers of a seed share. */
  readonly openStore: () => OpenBook
  /** Number of servers up at once. */
  readonly shops: number
  readonly print: (line: string) => void
}

export const runPayments = async (plan: PaymentsPlan): Promise<PaymentsReport> => {
  const startedMs = performance.now()
  const tally: Tally = { next: 0, answered: 0, paidMicroUsdc: 0, counts: new Map(), failures: [] }
  await Promise.all(Array.from({ length: LANES }, () => runLane(plan, tally)))
  const { counts, failures, answered, paidMicroUsdc } = tally
  const wanted = plan.shops > 1 ? KINDS : KINDS.filter((kind) => kind !== 'other shop')
  return {
    seeds: tally.next,
    from: plan.from,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    answered,
    paidMicroUsdc,
    happened: Object.fromEntries([...counts].sort()),
    never: wanted.filter((kind) => !counts.has(kind)),
    failures,
  }
}

/** A store for one process. */
export const memoryStore = (): OpenBook => {
  const table = createMemoryTable<PaymentEntry>()
  return async (now) => new TableIdempotencyStore(table, { now })
}

/** A store for several processes, in Redis. Leases are short, so that the claims of a killed process expire during a run. */
export const redisStore = (url: string) => (): OpenBook => {
  const prefix = `soak-${randomUUID()}:`
  return async (now) => {
    const client = createClient({ url, disableOfflineQueue: true })
    client.on('error', () => undefined)
    await client.connect()
    const book = new RedisIdempotencyStore({ client, prefix, clock: { now }, leaseMs: LEASE_MS })
    return {
      claim: (identity, identifier) => book.claim(identity, identifier),
      has: (identity, identifier) => book.has(identity, identifier),
      close: async () => {
        await book.close()
        if (client.isOpen) client.destroy()
      },
    }
  }
}
