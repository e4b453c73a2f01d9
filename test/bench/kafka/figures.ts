// Figures of this process and of the broker.
import { readFileSync } from 'node:fs'

export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
/** CPU time of another process, from its clock ticks of 10 ms; NaN for pid 0. */
const cpuSecondsOf = (pid: number): number => {
  if (pid === 0) return Number.NaN
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
export const memoryMb = (field: 'VmRSS' | 'VmHWM'): number => {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** Milliseconds on a clock that all processes of the machine share. */
export const sharedNow = (): number => performance.timeOrigin + performance.now()

/** What one process did between two times; `together` in together.ts combines those of several. */
export interface Span {
  readonly from_ms: number
  readonly to_ms: number
  readonly cpu_s: number
  readonly broker_from_s: number
  readonly broker_to_s: number
  readonly peak_rss_mb: number
}

/** Starts a measurement; the returned function ends it. CPU time counts from `cpuFrom`, which may be before the start. */
export const startSpan = (brokerPid: number, cpuFrom: number): (() => Span) => {
  const [from, broker] = [sharedNow(), cpuSecondsOf(brokerPid)]
  return () => ({
    from_ms: from,
    to_ms: sharedNow(),
    cpu_s: cpuSeconds() - cpuFrom,
    broker_from_s: broker,
    broker_to_s: cpuSecondsOf(brokerPid),
    peak_rss_mb: memoryMb('VmHWM'),
  })
}
