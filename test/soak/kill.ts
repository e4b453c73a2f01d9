// Kills a running `mintfold up` at random instants, again and again, while a buyer pays; then compares with a run never killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../topology/cli/mintfold.mjs', import.meta.url))
const UP_MS_MAX = 60_000

/** A running `mintfold up` in a process of its own. */
export interface Up {
  readonly url: string
  /** Resolves when a line with this text was or is printed. */
  said(text: string): Promise<void>
  kill(): Promise<void>
  /** Stops as a user would, and gives the exit code. */
  stop(): Promise<number | null>
  readonly isAlive: boolean
}

export interface UpOptions {
  readonly dataDir: string
  readonly recording: string
  readonly speed: number | 'max'
  readonly port: number
}

/** Starts and waits until it answers. `early` may kill it before that: then it rejects. */
export const startUp = async ({ dataDir, recording, speed, port }: UpOptions, early?: (child: ChildProcess) => void): Promise<Up> => {
  mkdirSync(dataDir, { recursive: true })
  const env = { ...process.env, MINTFOLD_DATA_DIR: dataDir, MINTFOLD_PORT: String(port), MINTFOLD_CLICKHOUSE_PORT: '0' }
  const child = spawn(process.execPath, [BIN, 'up', '--source', `recording:${recording}`, '--speed', String(speed)], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  early?.(child)
  const lines: string[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
    lines.push(line)
    for (const wake of waiting) wake()
  })
  const ended = once(child, 'exit')
  const said = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not said within ${UP_MS_MAX} ms: ${text}\n${lines.join('\n')}`)), UP_MS_MAX)
      const look = (): void => {
        if (!lines.some((line) => line.includes(text))) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      void ended.then(() => {
        clearTimeout(timer)
        reject(new Error(`ended before it said: ${text}\n${lines.join('\n')}`))
      })
      look()
    })
  await said('mintfold answers on')
  return {
    url: `http://127.0.0.1:${port}`,
    said,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    stop: async () => {
      child.kill('SIGTERM')
      const [code] = (await ended) as [number | null]
      return code
    },
    get isAlive() {
      return child.exitCode === null && child.signalCode === null
    },
  }
}
