// Group commit: writes of several owners share one transaction and one flush.
//
// Each transaction is lmdb's plain kind: data pages are flushed, then the page that makes them valid, then the promise resolves. That is
// two flushes per group and does not depend on the order in which a file system writes. lmdb's `overlappingSync` (its default) saves one of
// them and resolves before the data is on disk (and never, on a full disk: tested with 3.5.6); `noSync` does not survive power failures.
// Groups start at least 10 ms apart, so that the saving would be small. A worker thread does puts and flushes; the event loop only builds
// the list.
import type { RootDatabase } from 'lmdb'
import { AssertionError, type EngineError } from '../../../schemas/errors.ts'
import { OWNER_KEY, type Rows } from '../../data-dir/data-dir-lock.ts'
import { hasRoom, logFull } from '../../data-dir/disk-room.ts'
import { logIo, writeFailure } from '../../data-dir/lmdb-failures.ts'
import { pause, runInSlices } from '../../waiting/waiting.ts'
import { fenced } from '../failures.ts'
import { LmdbDraft, type LmdbState } from './lmdb-state.ts'

/** A flush takes 1-10 ms of a shared disk; a commit may wait 10 ms for others to join its group. */
const GROUP_INTERVAL_MS_MIN = 10
/** A larger group delays the commits behind it by more than one flush. */
const GROUP_BYTES_MAX = 32 * 1024 * 1024
/** Time budget between two yields while a group is drawn up: a group of four catching-up tasks takes some 20 ms. */
const DRAW_UP_SLICE_MS = 2

export interface WriteJob {
  /** Jobs of one line take effect in order: if one fails, those waiting behind it in its line fail too. */
  readonly line: object
  readonly bytes: number
  /** Why the job may no longer be written; undefined if it may. */
  refusal(): EngineError | undefined
  drawUp(draft: LmdbDraft): void
  /** Called in order, once the transaction is durable and applied to the state. */
  done(): void
}
interface Waiting {
  readonly job: WriteJob
  resolve(): void
  reject(failure: Error): void
}
export interface Medium {
  readonly dir: string
  readonly env: RootDatabase
  readonly owners: Rows
  readonly rows: Rows
  readonly generation: number
  readonly tombstoneRecordsKept: number
}

export class GroupWriter {
  readonly #medium: Medium
  readonly #state: LmdbState
  #waiting: Waiting[] = []
  #lastGroupAt = Number.NEGATIVE_INFINITY
  #group: Promise<void> = Promise.resolve()
  #run: Promise<void> | undefined
  /** Set once nothing can be written any more. */
  #broken: EngineError | undefined

  constructor(medium: Medium, state: LmdbState) {
    this.#medium = medium
    this.#state = state
  }
  get waitingCount(): number {
    return this.#waiting.length
  }
  /** Resolves when durable. */
  submit(job: WriteJob): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject })
      this.#run ??= this.#runGroups()
    })
  }
  /** Resolves when the transaction in flight has ended. */
  groupEnded(): Promise<void> {
    return this.#group
  }
  /** Resolves when nothing waits and nothing is in flight. */
  async idle(): Promise<void> {
    await this.#run
  }

  async #runGroups(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waitMs = this.#lastGroupAt + GROUP_INTERVAL_MS_MIN - performance.now()
      if (waitMs > 0) await pause(waitMs)
      this.#lastGroupAt = performance.now()
      this.#group = this.#writeGroup(this.#take())
      await this.#group
    }
    this.#run = undefined
  }
  #take(): Waiting[] {
    let bytes = 0
    let count = 0
    while (count < this.#waiting.length && (count === 0 || bytes < GROUP_BYTES_MAX)) bytes += this.#waiting[count++]?.job.bytes ?? 0
    return this.#waiting.splice(0, count)
  }
  /** Never rejects: failures go to the jobs. */
  async #writeGroup(taken: Waiting[]): Promise<void> {
    const group = taken.filter((waiting) => {
      const refusal = this.#broken ?? waiting.job.refusal()
      if (refusal !== undefined) waiting.reject(refusal)
      return refusal === undefined
    })
    const draft = new LmdbDraft(this.#state)
    try {
      await runInSlices(drawingUp(group, draft), DRAW_UP_SLICE_MS)
      draft.finish(this.#medium.tombstoneRecordsKept)
      if (!hasRoom(this.#medium.dir, draft.roomBytes)) return this.#fail(group, logFull(this.#medium.dir))
      if (!draft.isEmpty && !(await this.#write(draft))) return this.#lost(group)
    } catch (thrown) {
      const failure = thrown instanceof AssertionError ? thrown : await writeFailure(thrown, this.#medium.dir, draft.roomBytes)
      this.#broken = this.#isDead()
      return this.#fail(group, failure)
    }
    this.#state.adopt(draft)
    for (const { job, resolve } of group) {
      job.done()
      resolve()
    }
  }
  /** False if another process has taken the directory: then nothing was written. */
  #write(draft: LmdbDraft): Promise<boolean> {
    const { owners, rows, generation } = this.#medium
    return owners.ifVersion(OWNER_KEY, generation, () => draft.writeTo(rows))
  }
  #lost(group: readonly Waiting[]): void {
    this.#broken = fenced(this.#medium.dir)
    for (const { reject } of group) reject(this.#broken)
  }
  #fail(group: readonly Waiting[], failure: Error): void {
    const lines = new Set(group.map(({ job }) => job.line))
    const behind = this.#waiting.filter(({ job }) => lines.has(job.line))
    this.#waiting = this.#waiting.filter(({ job }) => !lines.has(job.line))
    for (const { reject } of [...group, ...behind]) reject(failure)
  }
  /** After a failed write of its head page lmdb has to be reopened, and a write without this check would never end. */
  #isDead(): EngineError | undefined {
    try {
      this.#medium.env.transactionSync(() => undefined)
      return undefined
    } catch (thrown) {
      return logIo(this.#medium.dir, 'every further write', thrown)
    }
  }
}

function* drawingUp(group: readonly Waiting[], draft: LmdbDraft): Iterator<void, void, void> {
  for (const { job } of group) {
    job.drawUp(draft)
    yield
  }
}
