// Removing a directory while another process writes in it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeDirectory } from '../../tools/remove-directory.ts'

const WRITER = `const fs = require('node:fs')
const end = Date.now() + 700
let n = 0
process.stdout.write('on')
while (Date.now() < end) try {
  fs.mkdirSync(process.argv[1] + '/a/b', { recursive: true })
  fs.writeFileSync(process.argv[1] + '/a/b/' + n++ % 50, '')
} catch {}`

test('removes a directory with an active writer once it has ended', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-removed-'))
  const writer = spawn(process.execPath, ['-e', WRITER, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(writer.stdout, 'data')
  const ended = once(writer, 'exit')
  removeDirectory(dir)
  await ended
  removeDirectory(dir)
  expect(existsSync(dir)).toBe(false)
})
test('ignores a directory that does not exist', () => {
  expect(() => removeDirectory(join(tmpdir(), 'mintfold-removed-never'))).not.toThrow()
})
