// A running demo, with requests and payments like any client's: over HTTP, over MCP, and in SQL.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { x402Client } from '@x402/core/client'
import type { PaymentRequired } from '@x402/core/types'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { CURSOR_KEYS_FILE } from '../../../topology/cli/selling/cursor-keys.ts'
import { createHistoryClient, type HistoryClient } from '../../../topology/history/client.ts'
import { accessIn, READER, targetAs } from '../../../topology/history/engine/access.ts'
import { historyDirOf } from '../../../topology/history/engine/where.ts'
import type { HistoryTarget } from '../../../topology/history/target.ts'
import { signerOf } from '../../../topology/sandbox/keys.ts'
import { readWallet, WALLET_FILE } from '../../../topology/sandbox/wallet.ts'
import { copyHistory } from '../../fixtures/migrated-history.ts'
import { BIN, startUp } from '../../soak/up-process.ts'
import { freePort } from '../../tools/free-port.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Reply {
  /** As requested. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Empty if the text is no JSON object. */
  readonly body: Json
}

export interface ToolReply {
  readonly isError: boolean
  /** `structuredContent`. */
  readonly body: Json
  readonly text: string
  readonly meta: Json
}

/**
 * Long enough for mints to be forgotten (6 h). With this seed a third of the load of `npm start` has every flag among its newest 200, and
 * wallets of every class.
 */
const MARKET = ['--start', '2026-10-15T12:00:00Z', '--seed', '98', '--history', '6.6', '--rate', '0.3']
const START_MS_MAX = 600_000
const LOOK_MS = 250
/** Has rows once the wallet ranks lag by less than 2 minutes: the sums behind them are computed in parts, one a minute. */
const FRESH_RANKS = `SELECT count() AS n FROM mintfold.wallet_leaderboard
  WHERE as_of > (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) - INTERVAL 2 MINUTE`
/** Between two purchases that wait for a refresh of the history. */
const REFRESH_MS = 5_000
/** On a busy machine parts of the product may wait for each other: temporary refusals are retried for this long, ms. */
const PATIENT_MS = 90_000

/** Requests of one caller a minute: more than the test sends. */
export const PER_MINUTE = 6_000

/** A product that already runs. */
interface Running {
  readonly url: string
  readonly dataDir: string
  stop(): Promise<unknown>
}

export class Demo {
  readonly url: string
  readonly #stop: () => Promise<unknown>
  readonly #payer: x402Client
  readonly #dataDir: string
  #history: HistoryClient | undefined
  #calls = 0

  private constructor({ url, dataDir, stop }: Running, payer: x402Client) {
    this.url = url
    this.#stop = stop
    this.#payer = payer
    this.#dataDir = dataDir
  }
  static async start(): Promise<Demo> {
    const dataDir = mkdtempSync(join(tmpdir(), 'mintfold-contract-'))
    await copyHistory(dataDir)
    const env = {
      MINTFOLD_CLICKHOUSE_PORT: '0',
      MINTFOLD_RATE_PER_MINUTE: String(PER_MINUTE),
      MINTFOLD_RATE_PAID_PER_MINUTE: '1000000',
      MINTFOLD_METRICS_PORT: '0',
      MINTFOLD_TRUSTED_PROXIES: '127.0.0.0/8',
    }
    const up = await startUp({ dataDir, port: await freePort(), args: [BIN, 'up', ...MARKET], env }, START_MS_MAX)
    const stop = async (): Promise<void> => {
      await up.stop()
      removeDirectory(dataDir)
    }
    return Demo.at({ url: up.url, dataDir, stop })
  }
  /** Resolves once `/health` reports nothing degraded, the sample card has base rates, cohorts have figures, and the wallet ranks are current. */
  static async at(running: Running): Promise<Demo> {
    const wallet = await readWallet(join(running.dataDir, WALLET_FILE))
    const signer = await signerOf(Uint8Array.from(wallet.secretKey))
    const payer = new x402Client().register('solana:*', new ExactSvmScheme(signer, { rpcUrl: wallet.rpcUrl })).setSpendControls(false)
    const demo = new Demo(running, payer)
    await demo.until(async () => {
      const { degraded = ['nothing yet'] } = (await demo.ask('/health')).body
      return (degraded as readonly string[]).length === 0
    }, START_MS_MAX)
    await demo.until(async () => {
      const { data } = (await demo.ask('/v1/sample/mint')).body as { readonly data?: { readonly base_rates?: unknown } }
      const [row] = await demo.rows<{ n: number }>(FRESH_RANKS)
      return Boolean(data?.base_rates) && Number(row?.n) > 0
    }, START_MS_MAX)
    // On a busy machine the views of cohorts may have been computed before most of the past was written.
    await demo.until(async () => {
      const [row] = await demo.rows<{ mint: string }>('SELECT any(mint) AS mint FROM mintfold.launch_shapes WHERE dev_buy IS NOT NULL')
      const { data } = (await demo.buy(`/v1/cohort/mint/${row?.mint}`)).body as { readonly data?: { readonly n?: unknown } }
      return typeof data?.n === 'number' || (await pause(REFRESH_MS, false))
    }, START_MS_MAX)
    return demo
  }
  async stop(): Promise<void> {
    await this.#history?.close()
    await this.#stop()
  }

  /** A path, or an address of this server. Retries a temporary 503. */
  async get(path: string, init: RequestInit = {}): Promise<Reply> {
    let reply = await this.ask(path, init)
    for (const endMs = performance.now() + PATIENT_MS; isPassing(reply) && performance.now() < endMs; reply = await this.ask(path, init))
      await pause(LOOK_MS)
    return reply
  }
  /** The same without a retry. */
  async ask(path: string, init: RequestInit = {}): Promise<Reply> {
    const url = path.startsWith('/') ? this.url + path : path
    return replyOf(path, await fetch(url, { redirect: 'manual', ...init }))
  }
  /** Pays if the answer is a 402, and returns the answer to the payment; returns any other answer as it is. */
  async buy(path: string): Promise<Reply> {
    const asked = await this.get(path)
    return asked.status === 402 ? this.pay(path, await this.sign(asked.body)) : asked
  }
  /** The payment header for the terms of a 402. */
  async sign(terms: Json): Promise<string> {
    const payment = await this.#payer.createPaymentPayload(terms as unknown as PaymentRequired)
    return Buffer.from(JSON.stringify(payment)).toString('base64')
  }
  pay(path: string, payment: string): Promise<Reply> {
    return this.get(path, { headers: { 'PAYMENT-SIGNATURE': payment } })
  }

  /** One message to `/mcp`; `result` of the answer. */
  async rpc(method: string, params: Json = {}): Promise<Json> {
    const reply = await this.get('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++this.#calls, method, params }),
    })
    return (reply.body.result ?? { error: reply.text }) as Json
  }
  /** One tool call. Retries temporary errors. */
  async call(name: string, args: Json, payment?: unknown): Promise<ToolReply> {
    const _meta = payment === undefined ? {} : { 'x402/payment': payment }
    let reply = toolReply(await this.rpc('tools/call', { name, arguments: args, _meta }))
    for (const endMs = performance.now() + PATIENT_MS; isTemporary(reply) && performance.now() < endMs; ) {
      await pause(LOOK_MS)
      reply = toolReply(await this.rpc('tools/call', { name, arguments: args, _meta }))
    }
    return reply
  }
  /** A call, paid for if required. */
  async callPaid(name: string, args: Json): Promise<ToolReply> {
    const asked = await this.call(name, args)
    if (asked.body.accepts === undefined) return asked
    return this.call(name, args, await this.#payer.createPaymentPayload(asked.body as unknown as PaymentRequired))
  }

  /** Keys with which the demo signs cursors, newest first. */
  cursorKeys(): readonly Uint8Array[] {
    const lines = readFileSync(join(this.#dataDir, CURSOR_KEYS_FILE), 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64url'))
  }

  /** Rows of a query; `{names:Array(String)}` and the like are bound. */
  async rows<Row = Json>(sql: string, params: Readonly<Record<string, string | number>> = {}): Promise<readonly Row[]> {
    this.#history ??= createHistoryClient(this.#reader())
    return this.#history.rows<Row>(sql, params)
  }
  /** @throws before the history has started */
  #reader(): HistoryTarget {
    const access = accessIn(historyDirOf(this.#dataDir))
    if (access === null) throw new Error('the history has not started')
    return targetAs(access, READER)
  }
  /** Resolves once the history holds all of a slot. */
  async historyHas(slot: number): Promise<void> {
    await this.until(async () => Number((await this.rows('SELECT max(slot) AS slot FROM mintfold.frames'))[0]?.slot) > slot, START_MS_MAX)
  }
  /** @throws when it does not hold in time. */
  async until(isSo: () => Promise<boolean>, msMax: number): Promise<void> {
    for (const endMs = performance.now() + msMax; performance.now() < endMs; await pause(LOOK_MS)) if (await isSo()) return
    throw new Error(`not within ${msMax} ms: ${isSo}\n${(await this.ask('/health')).text}`)
  }
}

/** Odds of a market without a model stay withdrawn. */
const isPassing = ({ status, body }: Reply): boolean => status === 503 && body.error !== 'odds_withdrawn'

const toolReply = ({ isError = false, structuredContent = {}, content = [], _meta = {} }: Json): ToolReply => {
  const [first] = content as readonly { readonly text: string }[]
  return { isError: isError === true, body: structuredContent as Json, text: first?.text ?? '', meta: _meta as Json }
}
const isTemporary = ({ isError, body }: ToolReply): boolean => isError && /unavailable|stale|restoring|busy/.test(String(body.error))

const replyOf = async (path: string, response: Response): Promise<Reply> => {
  const { status, headers } = response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  return { path, status, headers, text, body: bodyOf(text) }
}

const bodyOf = (text: string): Json => {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Json) : {}
  } catch {
    return {}
  }
}
