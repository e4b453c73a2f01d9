// paid_overhead_p99: what a sale takes of the seller beside its facilitator, over HTTP, with the book of payments on disk; beside it what
// the disk itself takes, and the same with the book on a disk of memory.
import { existsSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { PaymentEntry } from '../../query-api/payment/payment-book.ts'
import type { SettlementLine } from '../../query-api/payment/settlement-log.ts'
import { TableBook } from '../../query-api/payment/table-book.ts'
import { TableLog } from '../../query-api/payment/table-log.ts'
import { openLmdbTable } from '../../topology/stores/lmdb-table.ts'
import { send, startWorld } from '../integration/payment/world.ts'
import type { Bench } from './bench.ts'

const WARM = 50
const SALES = 400
const PAGE_BYTES = 4_096
const FLUSH_GAP_MS = 5
const MEMORY_DISK = '/dev/shm'

/** Passes requests on, and adds up how long the real one took. */
const startMeter = async (realUrl: string) => {
  const meter = { url: '', spentMs: 0, close: async (): Promise<void> => undefined }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const startedMs = performance.now()
    const init =
      request.method === 'POST' ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: Buffer.concat(chunks) } : {}
    const real = await fetch(realUrl + request.url, init)
    const text = await real.text()
    meter.spentMs += performance.now() - startedMs
    response.writeHead(real.status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  meter.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  meter.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return meter
}

/** Overheads of sales with the book in this directory, ms, ascending. */
const overheadsIn = async (parent: string): Promise<readonly number[]> => {
  const dir = await mkdtemp(join(parent, 'mintfold-paid-'))
  const world = await startWorld({ priceFactor: 0.04 })
  const meter = await startMeter(world.sandbox.facilitatorUrl)
  const payments = openLmdbTable<PaymentEntry>(join(dir, 'payments'))
  const settlements = openLmdbTable<SettlementLine>(join(dir, 'settlements'))
  const kept = { book: new TableBook(payments, { now: Date.now }), log: new TableLog(settlements) }
  const shop = await world.open({ ...kept, facilitatorUrl: meter.url })
  const overheads: number[] = []
  for (let sale = 0; sale < WARM + SALES; sale++) {
    const header = await world.signed(`${shop.url}/v1/card`)
    meter.spentMs = 0
    const startedMs = performance.now()
    const response = await send(`${shop.url}/v1/card`, header)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`sale ${sale} answered ${response.status}`)
    if (sale >= WARM) overheads.push(performance.now() - startedMs - meter.spentMs)
  }
  await world.close()
  await meter.close()
  await Promise.all([payments.close(), settlements.close()])
  await rm(dir, { recursive: true, force: true })
  return overheads.sort((a, b) => a - b)
}

/** What the disk itself takes for a flush of one page, ms, ascending: a sale waits for several. */
const flushesIn = async (parent: string): Promise<readonly number[]> => {
  const dir = await mkdtemp(join(parent, 'mintfold-flush-'))
  const file = await open(join(dir, 'page'), 'w')
  const page = Buffer.alloc(PAGE_BYTES, 1)
  const flushes: number[] = []
  for (let flush = 0; flush < SALES; flush++) {
    const startedMs = performance.now()
    await file.write(page, 0, PAGE_BYTES, flush * PAGE_BYTES)
    await file.datasync()
    flushes.push(performance.now() - startedMs)
    await pause(FLUSH_GAP_MS)
  }
  await file.close()
  await rm(dir, { recursive: true, force: true })
  return flushes.sort((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

export const bench: Bench = {
  name: 'paid_overhead_p99',
  unit: 'ms',
  run: async () => {
    const flushes = await flushesIn(tmpdir())
    const overheads = await overheadsIn(tmpdir())
    const onDisk = { p50Ms: at(overheads, 0.5), p90Ms: at(overheads, 0.9), sales: SALES }
    const ofDisk = { flushP50Ms: at(flushes, 0.5), flushP99Ms: at(flushes, 0.99) }
    if (!existsSync(MEMORY_DISK)) return { value: at(overheads, 0.99), detail: { ...onDisk, ...ofDisk } }
    const inMemory = await overheadsIn(MEMORY_DISK)
    const memory = { inMemoryP50Ms: at(inMemory, 0.5), inMemoryP99Ms: at(inMemory, 0.99) }
    return { value: at(overheads, 0.99), detail: { ...onDisk, ...ofDisk, ...memory } }
  },
}
