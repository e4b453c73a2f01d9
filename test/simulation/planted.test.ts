// Planted faults still apply. How soon each is found: `npm run soak -- planted`.
import { existsSync, readFileSync } from 'node:fs'
import { ROOT } from '../tools/copy-tree.ts'
import { PLANTED, plantedFiles } from './planted.ts'

const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')

describe('planted faults', () => {
  test('number at least forty, each with its own name', () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(40)
    expect(new Set(PLANTED.map(({ name }) => name)).size).toBe(PLANTED.length)
  })
  test.each(PLANTED)('$name still applies and changes its file', (one) => {
    const files = plantedFiles(one, read)
    expect(files.size).toBeGreaterThan(0)
    for (const [path, text] of files) expect(text).not.toBe(read(path))
    for (const suite of one.suites ?? []) expect(existsSync(`${ROOT}${suite}`)).toBe(true)
  })
  test('that no longer apply name the fault, the file and the text', () => {
    const fault = { name: 'a-fault', what: '', changes: [{ file: 'a.ts', find: 'a < b', put: 'a <= b' }] }
    expect(() => plantedFiles(fault, () => 'a <= b')).toThrow(/^a-fault no longer applies to a.ts, .*contains it 0 times: a < b$/)
  })
})
