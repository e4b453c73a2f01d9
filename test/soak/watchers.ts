// Many clients poll the watch while others buy checks: measures the seller's time without its facilitator, and errors.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { PaymentRequired } from '@x402/core/types'
import { get, payable, sign, termsIn } from '../../topology/cli/commands/buy/buyer.ts'
import { readWallet, WALLET_FILE } from '../../topology/sandbox/wallet.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { type Called, Caller, paced } from './clients.ts'
import { NETWORK, PAY_TO, startPlainFacilitator } from './plain-facilitator.ts'
import { BIN, startUp, type UpProcess } from './up-process.ts'

const POLL_EVERY_MS = 15_000
const FACILITATOR_MS = 20
const START_MS_MAX = 120_000
const ANSWER_MS_MAX = 30_000
const FAULTS_MAX = 20
/** How long clients buy through the sandbox's facilitator, seconds; `SANDBOX_PER_S`: purchases a second. */
const SANDBOX_S = 60
const SANDBOX_PER_S = 10
/** A single payer pays for everything. */
const MANY = { MINTFOLD_RATE_PAID_PER_MINUTE: '1000000' }
const OVERHEAD_MS_MAX = 20
const ROUND_TRIP_MS_MAX = 150

interface Spread {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}
export interface WatchersReport {
  readonly clients: number
  readonly seconds: number
  readonly pollMs: Spread
  /** Without the facilitator's time. */
  readonly overheadMs: Spread
  /** The whole round trip, with the sandbox's facilitator on a chain in memory. */
  readonly sandboxMs: Spread
  readonly faults: readonly string[]
}

export const isWatchingWell = ({ overheadMs, sandboxMs, faults }: WatchersReport): boolean =>
  faults.length === 0 && overheadMs.p99 <= OVERHEAD_MS_MAX && sandboxMs.p99 <= ROUND_TRIP_MS_MAX

const spreadOf = (values: readonly number[]): Spread => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number): number => Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Records unexpected responses, up to `FAULTS_MAX`. */
const tellerOf =
  (faults: string[]) =>
  (what: string, { status, body }: Called): void => {
    if (faults.length < FAULTS_MAX) faults.push(`${what}: ${status} ${body.slice(0, 160)}`)
  }

const overAfter = (seconds: number): (() => boolean) => {
  const endMs = performance.now() + seconds * 1_000
  return () => performance.now() >= endMs
}

const mintsOf = async (up: UpProcess): Promise<readonly string[]> => {
  const { body } = await get(`${up.url}/v1/sample/launches`, {}, AbortSignal.timeout(ANSWER_MS_MAX))
  return (JSON.parse(body) as { readonly data: { readonly items: readonly { readonly mint: string }[] } }).data.items.map(
    ({ mint }) => mint,
  )
}

const watching = async (clients: number, checksPerS: number, seconds: number): Promise<Omit<WatchersReport, 'sandboxMs'>> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-watchers-'))
  const facilitator = await startPlainFacilitator(FACILITATOR_MS)
  const payments = { MINTFOLD_PAYMENTS: 'facilitator', X402_FACILITATOR_URL: facilitator.url, X402_PAY_TO: PAY_TO, X402_NETWORK: NETWORK }
  const env = { ...payments, MINTFOLD_TRUSTED_PROXIES: '127.0.0.1', ...MANY }
  const up = await startUp({ dataDir: dir, port: await freePort(), args: [BIN, 'up'], env }, START_MS_MAX)
  const callers = Array.from({ length: clients }, (_, n) => new Caller(n))
  const [pollMs, overheadMs, faults]: [number[], number[], string[]] = [[], [], []]
  const fault = tellerOf(faults)
  try {
    await pause(START_MS_MAX / 4)
    const [first = '', second = first] = await mintsOf(up)
    const checkUrl = `${up.url}/v1/check/mint/${first}`
    const asked = await get(checkUrl, {}, AbortSignal.timeout(ANSWER_MS_MAX))
    if (asked.status !== 402) throw new Error(`a check of ${first} returned ${asked.status}: ${asked.body.slice(0, 200)}`)
    const terms: PaymentRequired = termsIn(asked)
    const cursors = new Map<number, string>()
    const poll = async (n: number): Promise<void> => {
      const client = n % clients
      const cursor = cursors.get(client)
      const startedMs = performance.now()
      const url = `${up.url}/v1/check/watch?mints=${first},${second}${cursor === undefined ? '' : `&cursor=${cursor}`}`
      const answer = await (callers[client] as Caller).get(url)
      pollMs.push(performance.now() - startedMs)
      if (answer.status !== 200) return fault('watch', answer)
      cursors.set(client, (JSON.parse(answer.body) as { readonly data: { readonly cursor: string } }).data.cursor)
    }
    const buyer = Array.from({ length: checksPerS }, (_, n) => new Caller(clients + n))
    const buy = async (n: number): Promise<void> => {
      const { header, transaction } = await facilitator.pay(terms)
      const startedMs = performance.now()
      const answer = await (buyer[n % buyer.length] as Caller).get(checkUrl, { 'payment-signature': header })
      overheadMs.push(performance.now() - startedMs - facilitator.tookMs(transaction))
      if (answer.status !== 200) fault('check', answer)
    }
    const isOver = overAfter(seconds)
    await Promise.all([paced({ perS: (clients * 1_000) / POLL_EVERY_MS, isOver }, poll), paced({ perS: checksPerS, isOver }, buy)])
    for (const caller of buyer) caller.close()
    return { clients, seconds, pollMs: spreadOf(pollMs), overheadMs: spreadOf(overheadMs), faults }
  } finally {
    for (const caller of callers) caller.close()
    await up.stop()
    await facilitator.close()
    removeDirectory(dir)
  }
}

const buyingForReal = async (seconds: number): Promise<{ readonly sandboxMs: Spread; readonly faults: readonly string[] }> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-watchers-'))
  const up = await startUp({ dataDir: dir, port: await freePort(), args: [BIN, 'up'], env: MANY }, START_MS_MAX)
  const [tookMs, faults]: [number[], string[]] = [[], []]
  const fault = tellerOf(faults)
  try {
    await pause(START_MS_MAX / 4)
    const [mint] = await mintsOf(up)
    const path = `/v1/check/mint/${mint}`
    const wallet = await readWallet(join(dir, WALLET_FILE))
    await paced({ perS: SANDBOX_PER_S, isOver: overAfter(seconds) }, async () => {
      const asked = await get(up.url + path, {}, AbortSignal.timeout(ANSWER_MS_MAX))
      if (asked.status !== 402) return fault('check', asked)
      const terms = termsIn(asked)
      const chosen = payable(terms, wallet)
      if (chosen === undefined) throw new Error('the wallet cannot pay any of the offered terms')
      const { header } = await sign(wallet, terms, chosen, up.url, path)
      const startedMs = performance.now()
      const answer = await get(up.url + path, { 'PAYMENT-SIGNATURE': header }, AbortSignal.timeout(ANSWER_MS_MAX))
      tookMs.push(performance.now() - startedMs)
      if (answer.status !== 200) fault('check', answer)
    })
    return { sandboxMs: spreadOf(tookMs), faults }
  } finally {
    await up.stop()
    removeDirectory(dir)
  }
}

/** Each of the `clients` polls every 15 s, while `checksPerS` checks a second are bought. */
export const runWatchers = async (clients: number, checksPerS: number, seconds: number): Promise<WatchersReport> => {
  const many = await watching(clients, checksPerS, seconds)
  const real = await buyingForReal(Math.min(seconds, SANDBOX_S))
  return { ...many, sandboxMs: real.sandboxMs, faults: [...many.faults, ...real.faults] }
}
