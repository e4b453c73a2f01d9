// Measures CPU time that other processes of this machine or of its host took from a measured process. Linux; 0 elsewhere.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Unit of the counters of /proc/stat. */
const TICK_MS = 10
const STEAL_FIELD = 8

const text = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Time the main thread has waited in the run queue since its start, ms. */
export const starvedMs = (): number => Number(text('/proc/self/schedstat').split(' ')[1] ?? 0) / 1e6

/** Steal time since the machine's start, ms, averaged over its CPUs: the host ran other machines while this one was ready to run. */
export const stolenMs = (): number => {
  const [all = ''] = text('/proc/stat').split('\n')
  return (Number(all.split(/ +/)[STEAL_FIELD] ?? 0) * TICK_MS) / availableParallelism()
}

/** Runs `act` and measures the share of CPU time that the host stole meanwhile. */
export const withStolenShare = async <T>(act: () => Promise<T>): Promise<{ readonly done: T; readonly stolenShare: number }> => {
  const [startedMs, before] = [performance.now(), stolenMs()]
  const done = await act()
  return { done, stolenShare: Math.round((100 * (stolenMs() - before)) / (performance.now() - startedMs)) / 100 }
}
