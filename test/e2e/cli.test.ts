// The bin as a process, as a shell sees it.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../topology/cli/mintfold.mjs', import.meta.url))
const BLOCKS = fileURLToPath(new URL('../recordings/blocks.avro', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the bin; `linesMax` closes stdout after that many lines, as `| head` does. */
const mintfold = (args: readonly string[], linesMax = Number.POSITIVE_INFINITY): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const text = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text.stdout += chunk
      if (text.stdout.split('\n').length > linesMax) child.stdout.destroy()
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text.stderr += chunk
    })
    child.on('error', reject)
    child.on('exit', (code) => setImmediate(() => resolve({ code, ...text })))
  })

// help.test.ts has the other commands.
test('up --help prints its usage', async () => {
  const { code, stdout, stderr } = await mintfold(['up', '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Usage: mintfold up')
})

test('an unknown command ends with 2 and names the nearest', async () => {
  const { code, stdout, stderr } = await mintfold(['topologie'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain("the nearest is 'topology'")
})

test('an unknown setting ends with 2 and names the nearest', async () => {
  const { code, stderr } = await mintfold(['up', '--env-file', fileURLToPath(new URL('../data/wrong.env', import.meta.url))])
  expect(code).toBe(2)
  expect(stderr).toBe('mintfold: unknown setting MINTFOLD_PROT; the nearest is MINTFOLD_PORT (.env.example lists all)\n')
})

test('prints data, and nothing else, on stdout', async () => {
  const { code, stdout } = await mintfold(['topology', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ nodes: expect.anything() }),
    expect.objectContaining({ nodes: expect.anything() }),
  ])
})

test('ends quietly when a reader closes the pipe', async () => {
  const { code, stderr } = await mintfold(['replay', BLOCKS, '--print', 'tape'], 2)
  expect(code).toBe(0)
  expect(stderr).not.toContain('EPIPE')
  expect(stderr).not.toContain('bug')
})
