// Child processes of the bench: each engine has its own, bundled and with the Node flags of the product, and prints its result as one line
// of JSON.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BUNDLED, NODE_FLAGS } from '../../tools/node-flags.ts'
import { type Figures, together } from './together.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
export const CHILD = '--child'
const READY = 'ready'

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

/** Starts an action of `main.ts` in a separate process. */
export const startChild = (action: string, options: object): ChildProcess =>
  spawn(process.execPath, [...NODE_FLAGS, BUNDLED, MAIN, CHILD, action, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })

const onlyOf = ([figures]: readonly Figures[], action: string): Figures => {
  if (figures === undefined) throw new Error(`${action} printed no figures`)
  return figures
}

/** Runs an action of `main.ts` in a separate process. */
export const runChild = async (action: string, options: object): Promise<Figures> =>
  onlyOf(await figuresOf(startChild(action, options)), action)

/** Reports to the parent that a child is ready. */
export const reportReady = (): void => void process.stdout.write(`${READY}\n`)

/** Resolves when the child is ready. */
export const readyOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: string) => {
      if (chunk.includes(READY)) resolve()
    })
    child.once('close', (code) => reject(new Error(`the engine ended with code ${code} before it was ready`)))
  })

/**
 * Runs an action in `options.processes` processes, each of which gets its `index` among the options and reports when it is ready. When all
 * are ready, runs `meanwhile`, then ends their standard inputs and returns their combined figures.
 */
export const runProcesses = async (
  action: string,
  options: { readonly processes: number },
  meanwhile: () => Promise<void> = async () => {},
): Promise<Figures> => {
  const children = Array.from({ length: options.processes }, (_, index) => startChild(action, { ...options, index }))
  const printed = Promise.all(children.map(figuresOf))
  try {
    await Promise.race([Promise.all(children.map(readyOf)), printed])
    await meanwhile()
    for (const { stdin } of children) stdin?.end()
    return together((await printed).map((lines) => onlyOf(lines, action)))
  } catch (failure) {
    for (const child of children) child.kill()
    throw failure
  }
}
