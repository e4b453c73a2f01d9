// Calls at a steady rate.
import { setTimeout as pause } from 'node:timers/promises'

export interface Pace {
  readonly perS: number
  /** Calls in progress; absent: any number. */
  readonly openMax?: number
  readonly isOver: () => boolean
}

/** Calls `perS` times a second until it is over, however long earlier calls take; resolves to the number of calls when all have ended. */
export const paced = async (
  { perS, openMax = Number.POSITIVE_INFINITY, isOver }: Pace,
  call: (n: number) => Promise<void>,
): Promise<number> => {
  const startedMs = performance.now()
  const open = new Set<Promise<void>>()
  let n = 0
  while (!isOver()) {
    const dueMs = startedMs + (n * 1_000) / perS
    const waitMs = dueMs - performance.now()
    if (waitMs > 0 || open.size >= openMax) {
      await pause(Math.min(Math.max(1, waitMs), 100))
      continue
    }
    const one = call(n++).finally(() => open.delete(one))
    open.add(one)
  }
  await Promise.all(open)
  return n
}
