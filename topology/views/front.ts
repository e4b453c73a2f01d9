// Serves from an early capture until the full one replaces it. Every call goes to exactly one of them.
import type { AccountsRead } from '../../processors/accounts.ts'
import { assert } from '../../schemas/errors.ts'
import type { Key } from '../../schemas/keys.ts'
import type { PositionInChain } from '../../schemas/position.ts'
import type { CreatorState, WalletState } from '../../schemas/types.ts'
import type { AccountReader } from '../ports/accounts.ts'
import type { Detection, FlagRecord, Preparing, StreamClock, ViewFinality, ViewLags, ViewStatus } from '../ports/chain-view.ts'
import type { MigrationRecord, MintSnapshot, MintView } from '../ports/mint-view.ts'
import type { RecordSnapshot, RecordView } from '../ports/record-view.ts'

/** A capture of a chain, for serving. */
export interface Capture {
  readonly view: MintView & { readonly records: RecordView }
  readonly clock: StreamClock
  /** Absent if its chain has no accounts. */
  readonly accounts?: AccountReader | undefined
}

export class Front implements MintView, RecordView, StreamClock, AccountReader {
  #shown: Capture
  readonly #preparing: () => Preparing | null

  /** `preparing`: see `ViewStatus.preparing`. */
  constructor(shown: Capture, preparing: () => Preparing | null) {
    this.#shown = shown
    this.#preparing = preparing
  }
  /** Serves this capture from now on. */
  show(capture: Capture): void {
    this.#shown = capture
  }
  /** Call it only if the captures have accounts. */
  read(mint: Key): Promise<AccountsRead> {
    assert(this.#shown.accounts !== undefined, 'only a capture with accounts reads accounts')
    return this.#shown.accounts.read(mint)
  }
  now(): number | null {
    return this.#shown.clock.now()
  }
  get(mint: Key): MintSnapshot | undefined {
    return this.#shown.view.get(mint)
  }
  launchesSince(since: number, until?: number): Iterable<MintSnapshot> {
    return this.#shown.view.launchesSince(since, until)
  }
  launchesBy(wallet: Key): Iterable<MintSnapshot> {
    return this.#shown.view.launchesBy(wallet)
  }
  launchesAfter(position: PositionInChain): Iterable<MintSnapshot> {
    return this.#shown.view.launchesAfter(position)
  }
  firstLaunchSince(second: number): PositionInChain | null {
    return this.#shown.view.firstLaunchSince(second)
  }
  flagsSince(since: number, until?: number): Iterable<FlagRecord> {
    return this.#shown.view.flagsSince(since, until)
  }
  migrationsSince(since: number, until?: number): Iterable<MigrationRecord> {
    return this.#shown.view.migrationsSince(since, until)
  }
  retracted(findingId: string): FlagRecord | undefined {
    return this.#shown.view.retracted(findingId)
  }
  retractedFlags(): Iterable<FlagRecord> {
    return this.#shown.view.retractedFlags()
  }
  finality(): ViewFinality | null {
    return this.#shown.view.finality()
  }
  status(): ViewStatus {
    const status = this.#shown.view.status()
    const preparing = this.#preparing()
    return preparing === null ? status : { ...status, preparing }
  }
  lags(): ViewLags {
    return this.#shown.view.lags()
  }
  detection(): Detection {
    return this.#shown.view.detection()
  }
  creator(key: Key): RecordSnapshot<CreatorState> | undefined {
    return this.#shown.view.records.creator(key)
  }
  wallet(key: Key): RecordSnapshot<WalletState> | undefined {
    return this.#shown.view.records.wallet(key)
  }
}
