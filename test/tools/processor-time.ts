// What a measured process did not get: others of this machine, or of its host, had the processors. Linux; 0 elsewhere.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Of the counters of /proc/stat. */
const TICK_MS = 10
const STEAL_FIELD = 8

const text = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Time of the main thread in the queue of the processors since its start, ms. */
export const starvedMs = (): number => Number(text('/proc/self/schedstat').split(' ')[1] ?? 0) / 1e6

/** For so long since its start the machine wanted a processor that its host had given to others, ms, on average over the processors. */
export const stolenMs = (): number => {
  const [all = ''] = text('/proc/stat').split('\n')
  return (Number(all.split(/ +/)[STEAL_FIELD] ?? 0) * TICK_MS) / availableParallelism()
}

/** Share of the processors that the host gave to others while `act` ran. */
export const withStolenShare = async <T>(act: () => Promise<T>): Promise<{ readonly done: T; readonly stolenShare: number }> => {
  const [startedMs, before] = [performance.now(), stolenMs()]
  const done = await act()
  return { done, stolenShare: Math.round((100 * (stolenMs() - before)) / (performance.now() - startedMs)) / 100 }
}
