// Scratch files: where they are, how long they exist, and what happens on a full disk.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClosablePages, openScratchPages, SCRATCH_LIMITS } from '../../topology/data-dir/scratch-pages.ts'
import type { KeyedPages } from '../../topology/ports/keyed-pages.ts'
import { code } from '../contract/log-topics.ts'
import { RUN } from '../tools/run.ts'
import { smallDisk } from '../tools/small-disk.ts'

const KB = 1_024
const page = (n: number): Buffer => Buffer.alloc(KB, `${n} `)
const put = (pages: KeyedPages, from: number, to: number): void => {
  for (let n = from; n < to; n++) pages.put(`key ${n}`, 0, page(n))
}
const expectPages = (pages: KeyedPages, count: number): void => {
  const wrong = Array.from({ length: count }, (_, n) => n).filter((n) => pages.numbered(`key ${n}`)[0]?.[1].equals(page(n)) !== true)
  expect(wrong).toEqual([])
  expect([pages.size, [...pages.keys()].length]).toEqual([count, count])
}

let dir: string
let opened: ClosablePages[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-scratch-'))
  opened = []
})
afterEach(async () => {
  for (const store of opened) await store.close()
  rmSync(dir, { recursive: true })
})
const open = (limits: Partial<typeof SCRATCH_LIMITS>, at = dir): ClosablePages => {
  const store = openScratchPages(at, { ...SCRATCH_LIMITS, ...limits })
  opened.push(store)
  return store
}
const folders = (): string[] => (existsSync(join(dir, 'scratch')) ? readdirSync(join(dir, 'scratch')) : [])

test('below the limit nothing is written to the disk', () => {
  const pages = open({}).open()
  put(pages, 0, 1_000)
  pages.delete('key 7')
  expect([pages.size, [...pages.keys()].length, folders()]).toEqual([999, 999, []])
})

test('each opened store has its own file, which is deleted when that store is closed', async () => {
  const stores = [open({ youngBytesMax: 0 }), open({ youngBytesMax: 0 })]
  const [first, second] = stores.map((store) => store.open()) as [KeyedPages, KeyedPages]
  put(first, 0, 50)
  put(second, 0, 70)
  expectPages(first, 50)
  expect(folders()).toHaveLength(2)
  await stores[0]?.close()
  expect(folders()).toHaveLength(1)
  expectPages(second, 70)
  await stores[1]?.close()
  expect(folders()).toEqual([])
})

test('the keys put last are in memory, those put first on disk, across all pages of a store', () => {
  const store = open({ youngBytesMax: 200 * KB })
  const [many, few] = [store.open(), store.open()]
  put(few, 0, 20)
  put(many, 0, 1_000)
  expectPages(few, 20)
  expectPages(many, 1_000)
  expect(folders()).toHaveLength(1)
})

test('the next start removes the files of a killed process, and none of a running one', async () => {
  const running = open({ youngBytesMax: 0 }).open()
  put(running, 0, 10)
  const child = spawn(process.execPath, [...RUN, join('test', 'integration', 'scratch-writer.ts'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(folders()).toHaveLength(2)
  open({})
  expect(folders()).toHaveLength(2)
  child.kill('SIGKILL')
  await once(child, 'exit')
  mkdirSync(join(dir, 'scratch', `${process.pid}-of-an-earlier-boot-0`))
  open({})
  expect(folders()).toHaveLength(1)
  expectPages(running, 10)
})

test('beyond the limit of the file, memory grows to twice its limit; then a failure states what to do, and no page is lost', () => {
  const pages = open({ youngBytesMax: 100 * KB, fileBytesMax: 300 * KB }).open()
  let count = 0
  expect(() => {
    for (; count < 5_000; count++) put(pages, count, count + 1)
  }).toThrow(code('scratch_full'))
  expect(() => put(pages, count + 1, count + 2)).toThrow(expect.objectContaining({ message: expect.stringContaining('Free some space') }))
  expect(count).toBeGreaterThan(150)
  expectPages(pages, count + 2)
})

test('a directory that cannot be used is a named failure', () => {
  writeFileSync(join(dir, 'file'), '')
  const pages = open({ youngBytesMax: 0 }, join(dir, 'file')).open()
  expect(() => put(pages, 0, 1)).toThrow(code('directory_unusable'))
})

const disk = smallDisk('24m', 'full disk')
;(disk.isMounted ? test : test.skip)(
  'on a full disk the pages stay in memory up to a limit, and move to the disk once it has space',
  () => {
    const pages = open({ youngBytesMax: 1_000 * KB }, disk.dir).open()
    put(pages, 0, 2_000)
    const ballast = join(disk.dir, 'ballast')
    writeFileSync(ballast, Buffer.alloc(8 << 20))
    put(pages, 2_000, 2_500)
    expect(() => put(pages, 2_500, 5_000)).toThrow(code('scratch_full'))
    const kept = pages.size
    expectPages(pages, kept)
    rmSync(ballast)
    put(pages, kept, kept + 1_000)
    expectPages(pages, kept + 1_000)
  },
)
