// A MintView over a map that tests fill. It does not simulate: partitions, commits (a put is seen at once), restore (`ready` is set by
// hand), forks (retractions are set by hand), eviction (flags go with their rows), or cost: launches and flags are sorted at every call.
import { devSetOf } from '../../processors/mint/fold/holdings.ts'
import type { Key } from '../../schemas/keys.ts'
import { comparePositions, type PositionInChain } from '../../schemas/position.ts'
import type { MintState } from '../../schemas/types.ts'
import type { Detection, FlagRecord, ViewFinality, ViewLags, ViewStatus } from '../../topology/ports/chain-view.ts'
import type { MigrationRecord, MintSnapshot, MintView } from '../../topology/ports/mint-view.ts'

const NO_COUNTS: ViewStatus['counters'] = { frames: 0, events: 0, flags: 0, dead_letters: 0, missing_events: 0, gaps: 0, forks: 0 }

const NOT_MEASURED = { ok: false, reason: 'no frame was measured' } as const

export class MapView implements MintView {
  readonly #mints = new Map<Key, MintSnapshot>()
  readonly #migrations: MigrationRecord[] = []
  readonly #retracted = new Map<string, FlagRecord>()
  #version = 0
  #finality: ViewFinality | null = null
  #status: ViewStatus = { folded: null, tip: null, gap: null, observedSince: 0, tracked: 0, counters: NO_COUNTS, ready: true }
  /** Results of `detection()` and `lags()`, which tests set. */
  measured: Detection = { fromArrival: NOT_MEASURED, fromBlock: NOT_MEASURED }
  behind: ViewLags = { views: [{ view: 'mint.changelog', recordsBehind: 0 }], streamMsBehind: 0 }
  /** Number of calls of `get` and of the lists, with which tests show that nothing was read. */
  reads = 0
  /** How often rows were read with their holders. */
  stateReads = 0

  /** Puts rows and gives them the next version. */
  put(mint: Key, state: MintState): void {
    this.#version += 1
    const mentions = (wallet: Buffer): boolean => state.holders.some((holder) => holder.wallet === wallet.toString('latin1'))
    const read = (): MintState => {
      this.stateReads += 1
      return state
    }
    const { holders: _, ...head } = state
    this.#mints.set(mint, {
      mint,
      get state() {
        return read()
      },
      head,
      version: this.#version,
      mentions,
    })
  }

  /** Changes the status; omitted fields stay. */
  setStatus(change: Partial<ViewStatus>): void {
    this.#status = { ...this.#status, ...change }
  }

  /** Sets the result of `finality()`. */
  sure(finality: ViewFinality): void {
    this.#finality = finality
  }

  get(mint: Key): MintSnapshot | undefined {
    this.reads += 1
    return this.#mints.get(mint)
  }

  *launchesSince(since: number, until = Number.POSITIVE_INFINITY): Iterable<MintSnapshot> {
    this.reads += 1
    const found = [...this.#mints.values()].filter(({ state: { launch } }) => launch !== null && launch.at >= since && launch.at <= until)
    yield* found.sort((a, b) => timeOf(b) - timeOf(a) || orderOf(b) - orderOf(a))
  }

  *launchesBy(wallet: Key): Iterable<MintSnapshot> {
    for (const snapshot of this.launchesSince(Number.NEGATIVE_INFINITY))
      if (snapshot.head.launch !== null && devSetOf(snapshot.head.launch).includes(wallet)) yield snapshot
  }

  *launchesAfter(position: PositionInChain): Iterable<MintSnapshot> {
    this.reads += 1
    for (const [launch, snapshot] of this.#inOrder()) if (comparePositions(launch, position) > 0) yield snapshot
  }

  firstLaunchSince(second: number): PositionInChain | null {
    return this.#inOrder().find(([{ at }]) => at >= second)?.[0] ?? null
  }

  #inOrder() {
    const launched = [...this.#mints.values()].flatMap((snapshot) => {
      const { launch } = snapshot.head
      return launch === null ? [] : [[launch, snapshot] as const]
    })
    return launched.sort(([a], [b]) => comparePositions(a, b))
  }

  *flagsSince(since: number, until = Number.POSITIVE_INFINITY): Iterable<FlagRecord> {
    this.reads += 1
    const found = [...this.#mints.values()].flatMap(flagsOf).filter(({ at }) => at >= since && at <= until)
    yield* found.sort((a, b) => b.at - a.at || comparePositions(b, a))
  }

  /** Adds a migration. It is separate from the rows of its mint, and stays when these are replaced. */
  migrated(migration: MigrationRecord): void {
    this.#migrations.push(migration)
  }

  *migrationsSince(since: number, until = Number.POSITIVE_INFINITY): Iterable<MigrationRecord> {
    this.reads += 1
    const found = this.#migrations.filter(({ at }) => at >= since && at <= until)
    yield* found.sort((a, b) => b.at - a.at || comparePositions(b, a))
  }

  retracted(findingId: string): FlagRecord | undefined {
    return this.#retracted.get(findingId)
  }

  retractedFlags(): Iterable<FlagRecord> {
    return this.#retracted.values()
  }

  /** Retracts flags like a fork; the test changes their rows. */
  retract(flag: FlagRecord): void {
    this.#retracted.set(flag.findingId, flag)
  }

  finality(): ViewFinality | null {
    return this.#finality
  }

  lags(): ViewLags {
    return this.behind
  }

  detection(): Detection {
    return this.measured
  }

  status(): ViewStatus {
    return { ...this.#status, tracked: this.#mints.size }
  }
}

const flagsOf = ({ mint, state: { launch, flags } }: MintSnapshot): FlagRecord[] =>
  flags.map(({ firstSeenAt: at, ...row }) => ({
    ...row,
    chain: 'solana',
    mint,
    at,
    creator: launch?.creator ?? null,
    mintAgeS: launch && at - launch.at,
  }))
const timeOf = ({ state }: MintSnapshot): number => state.launch?.at ?? 0
const orderOf = ({ state }: MintSnapshot): number => (state.launch?.number ?? 0) * 1e4 + (state.launch?.tx ?? 0)
