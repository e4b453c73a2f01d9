// Processes of the bench: each measured engine has one of its own, and says what it found as one line of JSON.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../../tools/node-flags.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
export const CHILD = '--child'
const READY = 'ready'

export type Figures = Readonly<Record<string, number>>

/** What a process printed: of its lines those that are objects. @throws when it failed. */
export const figuresOf = async (child: ChildProcess): Promise<readonly Figures[]> => {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`)
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Figures)
}

/** Runs an action of `main.ts` in a process of its own. */
export const startChild = (action: string, options: object): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, ...NODE_FLAGS, MAIN, CHILD, action, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })

export const runChild = async (action: string, options: object): Promise<Figures> => {
  const [figures] = await figuresOf(startChild(action, options))
  if (figures === undefined) throw new Error(`${action} said nothing`)
  return figures
}

/** Says that a child which serves is at work. */
export const sayReady = (): void => void process.stdout.write(`${READY}\n`)

/** Resolves when it is. */
export const readyOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      if (!String(chunk).includes(READY)) return
      child.stdout?.off('data', hear)
      resolve()
    }
    child.stdout?.on('data', hear)
    child.once('close', (code) => reject(new Error(`the engine ended with ${code} before it was ready`)))
  })
