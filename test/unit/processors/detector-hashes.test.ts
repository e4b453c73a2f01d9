// An edited detector finds something else under the same name, so its version must increase.
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { detectors } from '../../../processors/mint/detectors/index.ts'
import { exportedIn, hashOf } from '../../tools/detectors/code-hash.ts'
import { detectorsIn, FOLDERS, faultsOf, registeredIn } from '../../tools/detectors/registry.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

const PROCESSORS = fileURLToPath(new URL('../../../processors', import.meta.url))

test.each(FOLDERS)('every detector in %s is registered with its current source', async (folder) => {
  const [exported, registered] = [await detectorsIn(folder), await registeredIn(folder)]
  expect(exported.length).toBeGreaterThan(1)
  const faults = await Promise.all(exported.map(async (one) => faultsOf(one.detector, await hashOf(one), registered)))
  expect(faults.flat()).toEqual([])
  expect(Object.keys(registered).sort()).toEqual(exported.map(({ detector: { id } }) => id).sort())
})

test('each shipped detector has a hash, and no two have the same', () => {
  for (const { hash } of detectors.all) expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(new Set(detectors.all.map(({ hash }) => hash)).size).toBe(detectors.all.length)
})

describe('an edited detector', () => {
  // In the project's `node_modules`, so that its packages resolve.
  const dir = mkdtempSync(join(PROCESSORS, '../node_modules/.detectors-'))
  afterAll(() => removeDirectory(dir))
  cpSync(PROCESSORS, join(dir, 'processors'), { recursive: true })
  cpSync(join(PROCESSORS, '../schemas'), join(dir, 'schemas'), { recursive: true })
  const detectorFile = join(dir, 'processors/mint/detectors/pool-drained.ts')
  const thresholds = join(dir, 'processors/mint/thresholds.ts')
  const replaceIn = (file: string, from: string, to: string): void => {
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(from)
    writeFileSync(file, text.replace(from, to))
  }
  const hash = (): Promise<string> => hashOf({ file: detectorFile, name: 'poolDrained' })

  test.each([
    ['a comparison', detectorFile, 'pool === undefined || !isAtMostPercent', 'pool !== undefined && !isAtMostPercent'],
    ['a constant of another file', thresholds, 'export const DRAINED_PERCENT = 20', 'export const DRAINED_PERCENT = 21'],
    [
      'a function it uses',
      join(dir, 'processors/mint/fold/reserves.ts'),
      'times(part, 100) <= times(whole',
      'times(part, 100) < times(whole',
    ],
    ['its evidence', detectorFile, 'pool === undefined ? [] : [pool]', '[]'],
  ])('with a change in %s has another hash, and the old version is refused', async (_what, file, from, to) => {
    const before = await hash()
    replaceIn(file, from, to)
    const after = await hash()
    replaceIn(file, to, from)
    expect(after).not.toBe(before)
    expect(await hash()).toBe(before)
    const [facts] = (await exportedIn(join(PROCESSORS, 'mint/detectors'))).filter(({ name }) => name === 'poolDrained')
    if (facts === undefined) throw new Error('pool_drained must be shipped')
    expect(faultsOf(facts.detector, after, { 'pool-drained': [before] })).toEqual([expect.stringContaining('raise its version to 2')])
    expect(faultsOf({ ...facts.detector, version: 2 }, after, { 'pool-drained': [before] })).toEqual([
      expect.stringContaining('not registered'),
    ])
    expect(faultsOf({ ...facts.detector, version: 2 }, after, { 'pool-drained': [before, after] })).toEqual([])
    expect(faultsOf({ ...facts.detector, version: 3 }, after, { 'pool-drained': [before] })).toEqual([
      expect.stringContaining('does not follow'),
    ])
  })

  test.each([
    ['its description', detectorFile, "words: 'reserve at the opening of the pool'", "words: 'reserve when the pool opened'"],
    ['its tier', detectorFile, "tier: 'active'", "tier: 'shadow'"],
    ['a comment', detectorFile, '/** JSON numbers are exact below 2^53. */', '/** Exact below 2^53. */'],
    ['a constant it never uses', thresholds, 'export const UNLOADED_PERCENT = 80', 'export const UNLOADED_PERCENT = 81'],
  ])('with a change in %s keeps its hash', async (_what, file, from, to) => {
    const before = await hash()
    replaceIn(file, from, to)
    const after = await hash()
    replaceIn(file, to, from)
    expect(after).toBe(before)
  })
})
