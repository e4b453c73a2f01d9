// A Java service as a child process that never outlives its owner, with its output in a file.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { freePort } from '../tools/free-port.ts'

/**
 * A shell script around the JVM. Its standard input is a pipe whose other end the owner holds: when the owner is gone, also by SIGKILL, it
 * stops the JVM and then removes the folder in REMOVE, if one is set. It runs in a separate process group: Ctrl-C reaches only the owner.
 */
const GUARD = `
exec 3<&0
"$@" </dev/null 3<&- &
jvm=$!
echo "@pid $jvm"
( read -r _ <&3
  kill -TERM $jvm
  for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 $jvm || break; sleep 1; done
  kill -KILL $jvm ) 2>/dev/null &
guard=$!
exec 3<&- 0</dev/null
wait $jvm
code=$?
kill $guard 2>/dev/null
[ -n "$REMOVE" ] && ! kill -0 $OWNER 2>/dev/null && rm -rf "$REMOVE"
exit $code`

const READY_POLL_MS = 25
const READY_MS_MAX = 90_000
const STOP_MS_MAX = 15_000
const TOLD_LINES = 30

export interface JvmOptions {
  readonly args: readonly string[]
  /** Text that the service prints once it is ready. */
  readonly ready: string
  readonly logFile: string
  /** Folder to remove if the owner dies without stopping the service; null for none. */
  readonly removed: string | null
  /** Time for an orderly end, ms; by default 15 s. */
  readonly stopMsMax?: number
}

/** A service that is ready. */
export interface Jvm {
  readonly pid: number
  /** SIGTERM, then SIGKILL after `stopMsMax`. */
  stop(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** SIGSTOP and SIGCONT: present, but silent. */
  pause(): void
  resume(): void
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-TOLD_LINES).join('\n')

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ESRCH') throw failure
  }
}

/** Starts java. @throws with the end of the log when it ends or is not ready in time; the log file stays. */
export const startJvm = async ({ args, ready, logFile, removed, stopMsMax = STOP_MS_MAX }: JvmOptions): Promise<Jvm> => {
  const output = openSync(logFile, 'a')
  const from = statSync(logFile).size
  const env = { ...process.env, REMOVE: removed ?? '', OWNER: String(process.pid) }
  const child = spawn('sh', ['-c', GUARD, 'guard', 'java', ...args], { stdio: ['pipe', output, output], detached: true, env })
  closeSync(output)
  const exited = once(child, 'exit').then(() => {})
  exited.catch(() => {})
  const logged = (): string => readFileSync(logFile).toString('utf8', from)
  for (const until = Date.now() + READY_MS_MAX; !logged().includes(ready); await sleep(READY_POLL_MS)) {
    if (child.exitCode === null && Date.now() < until) continue
    child.stdin?.end()
    throw new Error(`java did not start: see ${logFile}\n${lastLines(logged())}`)
  }
  letOwnerEnd(child)
  const pid = Number(/@pid (\d+)/.exec(logged())?.[1])
  const end = async (name: NodeJS.Signals): Promise<void> => {
    signal(pid, 'SIGCONT')
    signal(pid, name)
    const late = setTimeout(() => signal(pid, 'SIGKILL'), stopMsMax)
    await exited
    clearTimeout(late)
  }
  return {
    pid,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    pause: () => signal(pid, 'SIGSTOP'),
    resume: () => signal(pid, 'SIGCONT'),
  }
}

const letOwnerEnd = (child: ChildProcess): void => {
  child.unref()
  const input = child.stdin as (NodeJS.WritableStream & { unref?(): void }) | null
  input?.on('error', () => {})
  input?.unref?.()
}

/** Messages of a JVM whose port was taken between the check and its start. */
const PORT_TAKEN = /Address already in use|failed to bind|already bound|in use by another process/
const PORT_TRIES_MAX = 5

/** Retries with other ports when one was taken meanwhile; a port of the caller's choice is tried once. */
export const onFreePort = async <Service>(port: number | undefined, start: (port: number) => Promise<Service>): Promise<Service> => {
  for (let tries = 1; ; tries++) {
    try {
      return await start(port ?? (await freePort()))
    } catch (failure) {
      if (port !== undefined || tries === PORT_TRIES_MAX || !PORT_TAKEN.test(String(failure))) throw failure
    }
  }
}
