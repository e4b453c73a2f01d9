// Rows of mints and their launches, read from the changelog.
import { devSetOf } from '../../processors/mint/fold/holdings.ts'
import { readSchema } from '../../schemas/avro.ts'
import type { Key } from '../../schemas/keys.ts'
import type { LaunchRow } from '../../schemas/types.ts'
import { parsePageKey, stateTypeOf } from '../engine/rows/state-type.ts'
import type { LogRecord } from '../ports/log.ts'
import type { MintSnapshot } from '../ports/mint-view.ts'
import { LaunchIndex } from './launch-index.ts'
import { LaunchOrder } from './launch-order.ts'
import { hasLaunch, isSameLaunch } from './launch-page.ts'
import { MintRowsByKey } from './mint-rows.ts'

/** Call `put` with each record of the changelog once, in partition order. */
export class Mints {
  readonly rows = new MintRowsByKey(stateTypeOf(readSchema('mint-state')))
  readonly launches = new LaunchIndex()
  readonly order = new LaunchOrder()

  put(record: LogRecord): void {
    const { key, page } = parsePageKey(record.key)
    const mint = key as Key
    const before = this.rows.firstPage(mint)
    const snapshot = this.rows.put(mint, page, record.value, record.offset)
    if (page !== 0) return
    if (before !== undefined && record.value !== null && isSameLaunch(before, record.value)) return
    this.launches.remove(mint)
    this.order.remove(mint)
    if (record.value !== null && hasLaunch(record.value) && snapshot?.head.launch) this.#launched(mint, snapshot.head.launch)
  }
  #launched(mint: Key, launch: LaunchRow): void {
    this.launches.add(mint, launch, devSetOf(launch))
    this.order.add(mint, launch)
  }
  /** The rows of those mints that are held, in the same order. */
  *held(mints: Iterable<Key>): Iterable<MintSnapshot> {
    for (const mint of mints) {
      const snapshot = this.rows.get(mint)
      if (snapshot !== undefined) yield snapshot
    }
  }
}
