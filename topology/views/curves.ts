// Rows of curves, their contracts and launches, read from the changelog.
import { readSchema } from '../../schemas/avro.ts'
import type { Key } from '../../schemas/keys.ts'
import type { CurveState } from '../../schemas/types.ts'
import { parsePageKey, stateTypeOf } from '../engine/rows/state-type.ts'
import type { CurveSnapshot } from '../ports/curve-view.ts'
import type { LogRecord } from '../ports/log.ts'
import { LaunchIndex } from './launch-index.ts'
import { hasLaunch, isSameLaunch } from './launch-page.ts'
import { Rows, RowsByKey } from './rows-by-key.ts'
import type { Torn } from './torn.ts'

const STATE = 'curve-state'
/** About 4,000 curves of the current size. */
const DECODED_BYTES_MAX = 8 * 1024 * 1024

class CurveRows extends Rows<CurveState> implements CurveSnapshot {
  get token(): Key {
    return this.key
  }
}

/** Call `put` with each record of the changelog once, in partition order. */
export class Curves {
  readonly #rows = new RowsByKey<CurveState, CurveRows>({
    type: stateTypeOf(readSchema(STATE)),
    decodedBytesMax: DECODED_BYTES_MAX,
    of: CurveRows,
  })
  readonly #launches = new LaunchIndex()
  /** Token by curve contract, for held launches and for those evicted within a day. */
  readonly #tokens = new Map<Key, Key>()
  readonly #contracts = new Map<Key, Key>()

  get size(): number {
    return this.#rows.size
  }
  /** See `RowsByKey`. */
  torn(): Torn | undefined {
    return this.#rows.torn()
  }
  get(token: Key): CurveSnapshot | undefined {
    return this.#rows.get(token)
  }
  /** By token or by curve. */
  find(address: Key): CurveSnapshot | undefined {
    const token = this.#tokens.get(address)
    return this.#rows.get(address) ?? (token === undefined ? undefined : this.#rows.get(token))
  }
  /** Newest first, neither older than `since` nor newer than `until` (unix seconds). */
  *since(since: number, until?: number): Iterable<CurveSnapshot> {
    for (const token of this.#launches.since(since, until)) {
      const snapshot = this.#rows.get(token)
      if (snapshot !== undefined) yield snapshot
    }
  }
  put(record: LogRecord): void {
    const { key, page } = parsePageKey(record.key)
    const token = key as Key
    const before = this.#rows.firstPage(token)
    const snapshot = this.#rows.put(token, page, record.value, record.offset)
    if (page !== 0) return
    const isSame = before !== undefined && record.value !== null && hasLaunch(before) && isSameLaunch(before, record.value)
    if (!isSame) this.#index(token, record.value === null ? undefined : snapshot?.head)
  }
  #index(token: Key, state: CurveState | undefined): void {
    this.#launches.remove(token)
    const former = this.#contracts.get(token)
    if (former !== undefined) this.#tokens.delete(former)
    const { launch = null, stub = null } = state ?? {}
    const curve = launch?.curve ?? stub?.curve
    if (curve === undefined) this.#contracts.delete(token)
    else {
      this.#contracts.set(token, curve)
      this.#tokens.set(curve, token)
    }
    if (launch !== null) this.#launches.add(token, launch, [launch.deployer])
  }
}
