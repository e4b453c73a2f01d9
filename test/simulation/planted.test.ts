// Planted faults still apply. How soon each is found: `npm run soak -- planted`.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allPlanted, patchedFiles } from './planted.ts'

const ROOT = new URL('../../', import.meta.url)
const pathOf = (path: string): string => fileURLToPath(new URL(path, ROOT))

describe('planted faults', () => {
  const planted = allPlanted()

  test('number at least forty', () => {
    expect(planted.length).toBeGreaterThanOrEqual(40)
  })
  test.each(planted)('$name still applies and changes its file', (one) => {
    const read = (path: string): string => readFileSync(pathOf(path), 'utf8')
    const files = patchedFiles(one, read)
    expect(files.size).toBeGreaterThan(0)
    for (const [path, text] of files) expect(text).not.toBe(read(path))
    for (const suite of one.suites ?? []) expect(existsSync(pathOf(suite))).toBe(true)
  })
})
