// Notices parts that are this process's and that nobody gets on with: such a process looks alive, and the whole chain waits for it.
import { EngineError } from '../../schemas/errors.ts'

/** A part without work, or with a restore that does not get on, ends the process after this. */
export const IDLE_MS_MAX = 30_000
/** A run that has something to do and takes no step. Longer than any single question to a medium, which then is asked again. */
export const STILL_MS_MAX = 300_000
const TICK_MS = 1_000

/** A part that is this process's. */
export interface Watched {
  readonly name: string
  readonly place: string
  /** Stays the same while nobody gets on with it; null while nobody has to. */
  readonly sign: string | null
  /** It may stay the same for so long. */
  readonly idleMsMax: number
}

/** Counts ticks instead of asking a clock: a process that was frozen has not been idle meanwhile. */
export class Watchdog {
  readonly #timer: NodeJS.Timeout
  readonly #idle = new Map<string, { readonly sign: string; readonly ms: number }>()

  /** `watched` gives the parts that are here now, none while that cannot be known. `bark` is called once. */
  constructor(watched: () => readonly Watched[], bark: (failure: EngineError) => void) {
    this.#timer = setInterval(() => {
      const idle = this.#look(watched())
      if (idle.length === 0) return
      this.stop()
      bark(idleFailure(idle))
    }, TICK_MS)
    this.#timer.unref()
  }
  stop(): void {
    clearInterval(this.#timer)
  }

  #look(watched: readonly Watched[]): readonly Watched[] {
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
  const parts = idle.map(({ name, place }) => `${name} (${place})`).join(', ')
  return new EngineError(
    'part_idle',
    `this process has ${parts}, and nobody has worked on that for ${idleMs / 1_000} s: start the process again; ` +
      'if it ends like this again, look for a log medium (disk, brokers) that does not answer',
  )
}
