import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnapshotStore } from '../../topology/ports/partition-snapshots.ts'
import { openFileStore } from '../../topology/snapshots/file-store.ts'
import { createMemoryStore } from '../../topology/snapshots/memory-store.ts'
import { killWriter } from '../tools/kill-writer.ts'
import { smallDisk } from '../tools/small-disk.ts'
import { batchesOf, EXTENT, PLACE, readOut, record } from './snapshot-place.ts'
import { snapshotStoreContract } from './snapshot-store-contract.ts'

const newDir = (): string => mkdtempSync(join(tmpdir(), 'mintfold-snapshots-'))
const FILE = 'mint.changelog-3.snapshot'

snapshotStoreContract('memory', async (notice) => ({ store: createMemoryStore(notice), close: async () => {} }))

snapshotStoreContract('files', async (notice) => {
  const dir = newDir()
  const store = await openFileStore({ dir, bytesMax: 1e9, keepSinceMs: 0, notice })
  return { store, close: async () => rmSync(dir, { recursive: true }) }
})

describe('snapshot files', () => {
  let dir = ''
  let refusals: unknown[]
  beforeEach(() => {
    dir = newDir()
    refusals = []
  })
  afterEach(() => rmSync(dir, { recursive: true }))
  const open = (options: { readonly bytesMax?: number; readonly keepSinceMs?: number } = {}): Promise<SnapshotStore> =>
    openFileStore({ dir, bytesMax: 1e9, keepSinceMs: 0, notice: (code, { reason }) => refusals.push([code, reason]), ...options })
  const written = async (): Promise<SnapshotStore> => {
    const store = await open()
    await store.write(PLACE, EXTENT, batchesOf([record(1, 'a', 'first'), record(2, 'b', 'second')]))
    return store
  }
  const expectRefused = async (store: SnapshotStore, reason: string): Promise<void> => {
    expect(await store.open(PLACE)).toBeUndefined()
    expect(refusals).toEqual([['snapshot_refused', expect.stringContaining(reason)]])
    expect(readdirSync(dir)).toEqual([])
  }

  test('outlive the process that wrote them', async () => {
    await written()
    expect(await readOut(await (await open()).open(PLACE))).toEqual(['1 a first', '2 b second'])
  })

  test('are refused and deleted when truncated at any byte, or when any byte has a flipped bit', async () => {
    await written()
    const whole = readFileSync(join(dir, FILE))
    for (let at = 0; at < whole.length; at++) {
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8))
      for (const damaged of [whole.subarray(0, at), flipped]) {
        refusals = []
        writeFileSync(join(dir, FILE), damaged)
        const store = await open()
        expect([at, await store.open(PLACE)]).toEqual([at, undefined])
        expect([at, refusals.length, readdirSync(dir)]).toEqual([at, 1, []])
      }
    }
  })

  test('are refused with the reason: truncated, damaged, no snapshot, another format, of another place', async () => {
    const store = await written()
    const whole = readFileSync(join(dir, FILE))
    const cases: readonly (readonly [Uint8Array, string])[] = [
      [whole.subarray(0, -1), 'its checksum does not match'],
      [whole.subarray(0, 20), 'it is truncated'],
      [Buffer.from('something else'.repeat(20)), 'it is not a snapshot'],
      [Buffer.from(whole.toString('latin1').replace('"format":2', '"format":1'), 'latin1'), 'it has format 1, this program has format 2'],
    ]
    for (const [bytes, reason] of cases) {
      refusals = []
      writeFileSync(join(dir, FILE), bytes)
      await expectRefused(store, reason)
    }
    refusals = []
    await store.write({ ...PLACE, partition: 4 }, EXTENT, batchesOf())
    writeFileSync(join(dir, FILE), readFileSync(join(dir, 'mint.changelog-4.snapshot')))
    await store.remove({ ...PLACE, partition: 4 })
    await expectRefused(store, 'it is of mint.changelog/4, but has the name of mint.changelog/3')
  })

  test('that the file system does not return are refused with its reason', async () => {
    mkdirSync(join(dir, FILE))
    expect(await (await open()).open(PLACE)).toBeUndefined()
    expect(refusals).toEqual([['snapshot_refused', expect.stringContaining('EISDIR')]])
    rmSync(join(dir, FILE), { recursive: true, force: true })
  })

  test('that are unfinished or too old are deleted when the store opens', async () => {
    await written()
    writeFileSync(join(dir, `${FILE}.tmp`), 'half')
    writeFileSync(join(dir, 'old-0.snapshot'), 'old')
    utimesSync(join(dir, 'old-0.snapshot'), 1_000, 1_000)
    writeFileSync(join(dir, 'other'), 'kept')
    await open({ keepSinceMs: 2_000_000 })
    expect(readdirSync(dir).sort()).toEqual([FILE, 'other'])
  })

  test('are not written beyond the cap, and the former one stays', async () => {
    await written()
    const store = await open({ bytesMax: 1_000 })
    const large = batchesOf([record(1, 'a', 'x'.repeat(1_000))])
    await expect(store.write({ ...PLACE, partition: 4 }, EXTENT, large)).rejects.toThrow('MINTFOLD_DATA_GB')
    expect(readdirSync(dir)).toEqual([FILE])
    expect(await readOut(await store.open(PLACE))).toEqual(['1 a first', '2 b second'])
  })

  test('after kills at random times are whole, and nothing unfinished stays', async () => {
    let unfinished = 0
    for (let kill = 0; kill < 6; kill++) {
      const printed = await killWriter(join('test', 'contract', 'snapshot-writer.ts'), [dir], Math.random() * 60)
      unfinished += readdirSync(dir).filter((name) => name.endsWith('.tmp')).length
      const snapshot = await (await open()).open(PLACE)
      expect(snapshot?.madeAtMs).toBeGreaterThanOrEqual(printed)
      const texts = await readOut(snapshot)
      expect(new Set(texts.map((text) => text.slice(-50)))).toEqual(new Set([`${snapshot?.madeAtMs}`.padStart(50)]))
      expect([texts.length, readdirSync(dir), refusals]).toEqual([20_000, [FILE], []])
    }
    expect(unfinished).toBeGreaterThan(0)
  })
})

const { dir: disk, isMounted } = smallDisk('24m', 'full disk')
;(isMounted ? test : test.skip)(
  'a full disk refuses a snapshot, keeps the former one and leaves room for the rest of the directory',
  async () => {
    const store = await openFileStore({ dir: disk, bytesMax: 1e9, keepSinceMs: 0, notice: () => {} })
    await store.write(PLACE, EXTENT, batchesOf([record(1, 'a', 'first')]))
    const much = Array.from({ length: 40 }, (_, n) => [record(n, `${n}`, 'x'.repeat(500_000))])
    await expect(store.write(PLACE, EXTENT, batchesOf(...much))).rejects.toThrow(`the disk of ${disk} is full`)
    expect(await readOut(await store.open(PLACE))).toEqual(['1 a first'])
    expect(readdirSync(disk)).toEqual([FILE])
  },
)
