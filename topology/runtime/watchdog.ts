// Detects assigned parts that make no progress: such a process looks alive, while the whole chain waits for it.
import { EngineError } from '../../schemas/errors.ts'

/** Limit for a part that does not run yet: it has not begun, or its restore makes no progress. Then the process ends. */
export const IDLE_MS_MAX = 30_000
/** Limit for a running part that has work but takes no step. It exceeds the limit of any single request to a log, which is then retried. */
export const STILL_MS_MAX = 300_000
const TICK_MS = 1_000

/** A part assigned to this process. */
export interface Watched {
  readonly name: string
  readonly topicPartition: string
  /** Unchanged while the part makes no progress; null while it has nothing to do. */
  readonly sign: string | null
  /** How long `sign` may stay unchanged. */
  readonly idleMsMax: number
}

/** Counts timer ticks instead of reading a clock: a process that was frozen was not idle meanwhile. */
export class Watchdog {
  readonly #timer: NodeJS.Timeout
  readonly #idle = new Map<string, { readonly sign: string; readonly ms: number }>()

  /** `watched` returns the parts assigned here, none while the assignment is unknown. `bark` is called once. */
  constructor(watched: () => readonly Watched[], bark: (failure: EngineError) => void) {
    this.#timer = setInterval(() => {
      const idle = this.#idleOf(watched())
      if (idle.length === 0) return
      this.stop()
      bark(idleFailure(idle))
    }, TICK_MS)
    this.#timer.unref()
  }
  stop(): void {
    clearInterval(this.#timer)
  }

  #idleOf(watched: readonly Watched[]): readonly Watched[] {
    const before = new Map(this.#idle)
    this.#idle.clear()
    return watched.filter(({ name, sign, idleMsMax }) => {
      if (sign === null) return false
      const was = before.get(name)
      const ms = was?.sign === sign ? was.ms + TICK_MS : 0
      this.#idle.set(name, { sign, ms })
      return ms >= idleMsMax
    })
  }
}

const idleFailure = (idle: readonly Watched[]): EngineError => {
  const idleMs = Math.min(...idle.map(({ idleMsMax }) => idleMsMax))
  const parts = idle.map(({ name, topicPartition }) => `${name} (${topicPartition})`).join(', ')
  return new EngineError(
    'part_idle',
    `this process owns ${parts}, which made no progress for ${idleMs / 1_000} s: restart the process; ` +
      'if this happens again, check that the medium of the log (disk, brokers) responds',
  )
}
