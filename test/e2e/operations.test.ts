// The operator's commands against a real `up`, all in separate processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeDirectory } from '../tools/remove-directory.ts'

const BIN = fileURLToPath(new URL('../../topology/cli/mintfold.mjs', import.meta.url))
const SOURCE = `recording:${fileURLToPath(new URL('../recordings/launches.avro', import.meta.url))}`
let dir = ''
const at = (name: string): string => join(dir, name)
let up: ChildProcess | undefined
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-operations-'))
})
afterAll(async () => {
  if (up !== undefined && up.exitCode === null) {
    up.kill('SIGTERM')
    await once(up, 'exit')
  }
  removeDirectory(dir)
})

const start = (data: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [BIN, ...args], {
    env: { ...process.env, MINTFOLD_DATA_DIR: at(data), MINTFOLD_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
const textOf = (child: ChildProcess): { text: string } => {
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk
    })
  return output
}
const ended = (child: ChildProcess): Promise<{ readonly code: number | null; readonly text: string }> => {
  const output = textOf(child)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text: output.text })))
}
const mintfold = (data: string, ...args: string[]) => ended(start(data, ...args))

test('doctor detects a running product, backup does not stop it, restore refuses its directory, and accepts another', async () => {
  up = start('data', 'up', '--source', SOURCE)
  const output = textOf(up)
  while (!output.text.includes('try:')) {
    if (up.exitCode !== null) throw new Error(output.text)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const [doctor, backup] = await Promise.all([mintfold('data', 'doctor'), mintfold('data', 'backup', '--out', at('b1'))])
  expect(doctor.text).toMatch(new RegExp(`ok +data directory .*process ${up.pid}`))
  expect(backup).toMatchObject({ code: 0, text: expect.stringContaining('3 files') })
  expect(await mintfold('data', 'restore', at('b1'))).toMatchObject({ code: 3, text: expect.stringContaining(`process ${up.pid}`) })
  const stopped = new Promise((resolve) => up?.on('exit', resolve))
  up.kill('SIGTERM')
  expect({ code: await stopped, output: output.text }).toMatchObject({ code: 0 })
  expect(existsSync(join(at('data'), 'control.sock'))).toBe(false)

  expect((await mintfold('other', 'restore', at('b1'))).code).toBe(0)
  up = start('other', 'up', '--source', SOURCE)
  const again = textOf(up)
  while (!again.text.includes('try:') && up.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(again.text).toContain('from frame 6 on')
})
