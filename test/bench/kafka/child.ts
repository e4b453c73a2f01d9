// Child processes of the bench: each measured engine has its own and prints its result as one line of JSON.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../../tools/node-flags.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
export const CHILD = '--child'
const READY = 'ready'

export type Figures = Readonly<Record<string, number>>

/** The printed lines that are JSON objects. @throws if the process failed */
export const figuresOf = async (child: ChildProcess): Promise<readonly Figures[]> => {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with code ${code}`)
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Figures)
}

/** Runs an action of `main.ts` in a separate process. */
export const startChild = (action: string, options: object): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, ...NODE_FLAGS, MAIN, CHILD, action, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })

export const runChild = async (action: string, options: object): Promise<Figures> => {
  const [figures] = await figuresOf(startChild(action, options))
  if (figures === undefined) throw new Error(`${action} printed no figures`)
  return figures
}

/** Reports to the parent that a serving child is ready. */
export const reportReady = (): void => void process.stdout.write(`${READY}\n`)

/** Resolves when the child is ready. */
export const readyOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      if (!String(chunk).includes(READY)) return
      child.stdout?.off('data', onData)
      resolve()
    }
    child.stdout?.on('data', onData)
    child.once('close', (code) => reject(new Error(`the engine ended with code ${code} before it was ready`)))
  })
