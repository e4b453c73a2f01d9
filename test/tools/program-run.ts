// Runs a Node program within a time limit; no process that it starts survives.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

const PIPES_MS = 1_000
const OUTPUT_CHARS_MAX = 1_000_000

export interface ProgramRun {
  /** Exit code; null if the run timed out. */
  readonly status: number | null
  readonly seconds: number
  /** The end of stdout. */
  readonly printed: string
  /** The end of stderr. */
  readonly output: string
}

/** Runs `node ...args` in its own process group, and kills the group afterwards. */
export const runProgram = async (
  cwd: string,
  args: readonly string[],
  secondsMax: number,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> => {
  const startedMs = performance.now()
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const texts = [child.stdout, child.stderr].map((stream) => {
    const kept = { text: '' }
    stream.on('data', (chunk: Buffer) => {
      kept.text = (kept.text + chunk.toString()).slice(-OUTPUT_CHARS_MAX)
    })
    return kept
  })
  const endGroup = (): void => endAll(child.pid)
  const limit = setTimeout(endGroup, secondsMax * 1_000)
  const closed = once(child, 'close')
  const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  clearTimeout(limit)
  endGroup()
  // A process that has left the group keeps the pipes open.
  await Promise.race([closed, delay(PIPES_MS, undefined, { ref: false })])
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  const [printed = '', output = ''] = texts.map(({ text }) => text)
  return { status: signal === null ? status : null, seconds, printed, output }
}

const endAll = (group: number | undefined): void => {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}
