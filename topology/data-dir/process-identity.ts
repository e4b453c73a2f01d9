// The identity of a process, distinct from a later one with the same pid.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** `startedAt` and `boot` are opaque: compared, never ordered. */
export interface ProcessIdentity {
  readonly pid: number
  readonly startedAt: string
  readonly boot: string
}

const PS_MS_MAX = 2_000

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
/**
 * Clock ticks from boot to the start of `pid` (Linux, proc(5), field 22 of stat).
 * Undefined for no process, and for a zombie process, which holds nothing.
 */
const startOnLinux = (pid: number): string | undefined => {
  const stat = readText(`/proc/${pid}/stat`)
  const [state, ...rest] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return state === undefined || state === 'Z' || state === 'X' ? undefined : rest[18]
}
const startByPs = (pid: number): string | undefined => {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: PS_MS_MAX }).trim() || undefined
  } catch {
    return undefined
  }
}
const startOf = (pid: number): string | undefined => (process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid))
/** On systems where `ps` reports the start as a date, no boot id is needed. */
const bootId = (): string => readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''

export const identityOf = (pid: number): ProcessIdentity => ({ pid, startedAt: startOf(pid) ?? '', boot: bootId() })
export const thisProcess = (): ProcessIdentity => identityOf(process.pid)

/** True while exactly the process of `identity` runs on this machine. */
export const isRunning = (identity: ProcessIdentity): boolean => identity.boot === bootId() && startOf(identity.pid) === identity.startedAt
