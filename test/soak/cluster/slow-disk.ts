// A disk on which every write and flush of one running process takes longer: strace delays these system calls. Reads, and writes by memory
// maps, keep their speed; nothing fails and no order changes. All other system calls of the process become somewhat slower too.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programPath } from '../../tools/program.ts'

const CALLS = 'write,writev,pwrite64,fsync,fdatasync'
const DELAY_US = 100_000

export const NO_STRACE = 'no strace: install it'

/** Whether this machine can slow disks. */
export const hasStrace = (): boolean => programPath('strace') !== undefined

/**
 * Slows the writes of a process, from when this resolves until the result is called, which returns the number of delayed calls. `dir`: only
 * writes to files that exist below it now, for a process that also writes to its connections by these calls. @throws if this is not allowed
 */
export const slowDisk = async (pid: number, out: string, dir?: string): Promise<() => Promise<number>> => {
  const paths = dir === undefined ? [] : filesIn(dir).flatMap((path) => ['-P', path])
  const args = ['-f', '-p', String(pid), ...paths, '-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:delay_enter=${DELAY_US}`, '-o', out]
  const tracer = spawn(programPath('strace') ?? NO_STRACE, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(tracer, 'exit')
  const said = await printed(tracer, 'attached', ended)
  if (!isRunning(tracer)) throw new Error(`strace could not slow the disk of process ${pid}: ${said}`)
  return async () => {
    tracer.kill('SIGTERM')
    await ended
    return existsSync(out) ? readFileSync(out, 'utf8').split('(DELAYED)').length - 1 : 0
  }
}

/** What it prints until it has printed `text`, or has ended. */
const printed = async ({ stderr }: ChildProcess, text: string, ended: Promise<unknown>): Promise<string> => {
  let said = ''
  const found = new Promise<void>((resolve) => {
    stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      if (said.includes(text)) resolve()
    })
  })
  await Promise.race([found, ended])
  return said
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

const filesIn = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
