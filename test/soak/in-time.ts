// A limit that holds whatever becomes of what is waited for.
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Rejects after `msMax`. Questions to a process that is being killed have a signal of their own (`AbortSignal.timeout`), and even so two
 * soaks waited for an answer for ever (Node 20.20).
 */
export const inTime = async <Result>(work: Promise<Result>, msMax: number): Promise<Result> => {
  const done = new AbortController()
  const late = pause(msMax, undefined, { signal: done.signal }).then(() => {
    throw new Error(`no answer within ${msMax} ms`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}
