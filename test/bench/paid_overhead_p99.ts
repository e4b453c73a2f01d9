// paid_overhead_p99: the time of a sale over HTTP without the time of its facilitator, with the seller's store on disk. For comparison it
// also measures a flush of the disk, and sales with the store on a RAM disk. The seller has its own process, as in production.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { PaymentRequired } from '@x402/core/types'
import { Caller } from '../soak/clients.ts'
import { startPlainFacilitator } from '../soak/plain-facilitator.ts'
import { BUNDLED } from '../tools/node-flags.ts'
import type { Bench } from './bench.ts'

/** Sales that are not measured. A seller in production runs long, and its code is fully compiled after some two thousand sales. */
const WARM = 2_500
const SALES = 2_000
/** Delay of each of the facilitator's two responses: verify and settle. */
const FACILITATOR_MS = 5
const FLUSHES = 1_000
const PAGE_BYTES = 4_096
const FLUSH_GAP_MS = 5
const MEMORY_DISK = '/dev/shm'

/** Resolves to the seller's address and process. */
const startSeller = async (dir: string, facilitatorUrl: string): Promise<{ readonly url: string; readonly process: ChildProcess }> => {
  const args = [...process.execArgv, BUNDLED, fileURLToPath(new URL('./paid-server.ts', import.meta.url)), dir, facilitatorUrl]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { url: line, process: child }
}

/** Overheads of sales with the store in this directory, ms, ascending. */
const overheadsIn = async (parent: string): Promise<readonly number[]> => {
  const dir = await mkdtemp(join(parent, 'mintfold-paid-'))
  const facilitator = await startPlainFacilitator(FACILITATOR_MS)
  const seller = await startSeller(dir, facilitator.url)
  const caller = new Caller(0)
  const overheads: number[] = []
  try {
    const url = `${seller.url}/v1/card`
    const terms = JSON.parse((await caller.get(url)).body) as PaymentRequired
    for (let sale = 0; sale < WARM + SALES; sale++) {
      const { header, transaction } = await facilitator.pay(terms)
      const startedMs = performance.now()
      const { status, body } = await caller.get(url, { 'payment-signature': header })
      const overheadMs = performance.now() - startedMs - facilitator.tookMs(transaction)
      if (status !== 200) throw new Error(`sale ${sale} returned ${status}: ${body.slice(0, 200)}`)
      if (sale >= WARM) overheads.push(overheadMs)
    }
  } finally {
    caller.close()
    seller.process.kill('SIGKILL')
    await facilitator.close()
    await rm(dir, { recursive: true, force: true })
  }
  return overheads.sort((a, b) => a - b)
}

/** The disk's own time for flushing one page, ms, ascending: a sale waits for several flushes. */
const flushesIn = async (parent: string): Promise<readonly number[]> => {
  const dir = await mkdtemp(join(parent, 'mintfold-flush-'))
  const file = await open(join(dir, 'page'), 'w')
  const page = Buffer.alloc(PAGE_BYTES, 1)
  const flushes: number[] = []
  for (let flush = 0; flush < FLUSHES; flush++) {
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
