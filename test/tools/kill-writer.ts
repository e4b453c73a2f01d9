// Kills a program that prints the number of each thing that it has written.
import { spawn } from 'node:child_process'
import { RUN } from './run.ts'

/** Starts `program` (path from the project's root), and kills it `afterMs` after its first output. Returns the last number that it printed. */
export const killWriter = (program: string, args: readonly string[], afterMs: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...RUN, program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (output === '') setTimeout(() => child.kill('SIGKILL'), afterMs)
      output += chunk.toString('utf8')
    })
    child.on('error', reject)
    child.on('close', () => {
      const lines = output.split('\n').slice(0, -1)
      if (lines.length === 0) reject(new Error('the writer printed nothing'))
      else resolve(Number(lines.at(-1)))
    })
  })
