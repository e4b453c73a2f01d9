// Generators print what they wrote.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { writeGenerated } from '../../tools/write-generated.ts'

test('a generated file is written and reported, and reported as unchanged the next time', () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-generated-'))
  const print = jest.spyOn(console, 'log').mockImplementation(() => {})
  const file = join(dir, 'table.md')
  for (const text of ['one', 'one', 'two']) writeGenerated(file, text)
  expect(print.mock.calls.map(([line]) => String(line).split(' ')[0])).toEqual(['written', 'unchanged', 'written'])
  expect(readFileSync(file, 'utf8')).toBe('two')
  print.mockRestore()
  removeDirectory(dir)
})
