// What `doctor` looks at. Each check tells, none changes anything, and none takes longer than its limit.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { EngineError, messageOf } from '../../schemas/errors.ts'
import { askControl } from '../control/client.ts'
import { createHistoryClient } from '../history/client.ts'
import { WRITER } from '../history/engine-config.ts'
import { readerOf } from '../history/where.ts'
import { inspectDirectory } from '../logs/inspect.ts'
import { watchLmdbLog } from '../logs/lmdb-reader.ts'
import { LOG_ID_OWNER, logIdIn, refuseHistoryOfAnother } from '../sinks/history-id.ts'
import { checkKafka } from './checks-kafka.ts'
import { checkLive } from './checks-live.ts'
import { checkPayments } from './checks-payments.ts'
import type { Settings } from './settings.ts'
import { LIVE } from './source-options.ts'

export interface Check {
  readonly name: string
  readonly ok: boolean
  /** What was found; where it is not ok, what to do. */
  readonly words: string
}

const ANSWER_MS_MAX = 5_000
const ANSWER_CHARS_MAX = 1_000_000
/** About a day of raw frames at one tenth of today's load. */
const FREE_BYTES_WANTED = 1_000_000_000

const good = (name: string, words: string): Check => ({ name, ok: true, words })
const poor = (name: string, words: string): Check => ({ name, ok: false, words })

/** All checks that these settings ask for, in the order in which `up` would meet them. */
export async function* checkAll(settings: Settings, source: string): AsyncIterable<Check> {
  const running = await runningIn(settings.dataDir)
  if (settings.kafka === null) yield await checkDirectory(settings, running)
  else yield* checkKafka(settings, settings.kafka)
  yield await checkRoom(settings.dataDir)
  yield await checkPort(settings, running)
  yield* checkPayments(settings, { ask, checkNode, reasonOf })
  if (settings.solanaRpcUrl !== null && settings.solanaRpcUrl !== settings.rpcUrl)
    yield await checkNode('accounts rpc', settings.solanaRpcUrl, 'SOLANA_RPC_URL')
  yield* checkLive(settings.live, source === LIVE, checkNode)
  yield await checkHistory(settings)
}

type Running = Readonly<Record<string, unknown>> | undefined

const runningIn = async (dataDir: string): Promise<Running> => {
  try {
    return await askControl({ dataDir, command: 'status', silentMsMax: ANSWER_MS_MAX })
  } catch (failure) {
    if (failure instanceof EngineError) return undefined
    throw failure
  }
}

const checkDirectory = async ({ dataDir, partitions }: Settings, running: Running): Promise<Check> => {
  const name = 'data directory'
  const place = resolve(dataDir)
  if (running !== undefined) return good(name, `${place} is at work: process ${running.pid}, mintfold ${running.version}, ${running.url}`)
  if (!existsSync(join(place, 'log'))) return good(name, `${place} holds nothing yet: the first start makes it`)
  try {
    const { owner, partitions: held, format } = await inspectDirectory(join(place, 'log'))
    if (owner !== null)
      return poor(name, `${place} is held by process ${owner}, which does not answer: stop it, or wait until it has started`)
    if (held !== partitions) return poor(name, `${place} has ${held} partitions, MINTFOLD_PARTITIONS is ${partitions}: set it to ${held}`)
    return good(name, `${place} is free to use: format ${format}, ${held} partitions`)
  } catch (failure) {
    if (failure instanceof EngineError) return poor(name, failure.message)
    throw failure
  }
}

const checkRoom = async (dataDir: string): Promise<Check> => {
  let place = resolve(dataDir)
  while (!existsSync(place)) place = dirname(place)
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const words = `${(free / 1e9).toFixed(1)} GB free on the disk of ${place}`
  return free >= FREE_BYTES_WANTED
    ? good('disk', words)
    : poor('disk', `${words}: free some, a day takes about ${FREE_BYTES_WANTED / 1e9} GB`)
}

const checkPort = async ({ host, port }: Settings, running: Running): Promise<Check> => {
  const name = 'port'
  if (port === 0) return good(name, 'a free one is taken at the start (MINTFOLD_PORT is 0)')
  const refusal = await listenError(host, port)
  if (refusal === undefined) return good(name, `${port} on ${host} is free`)
  if (refusal !== 'EADDRINUSE')
    return poor(name, `${port} on ${host} cannot be listened on (${refusal}): set MINTFOLD_HOST and MINTFOLD_PORT`)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const health = z.object({ version: z.string(), mints_tracked: z.number() }).safeParse(await ask(`${url}/health`).catch(() => undefined))
  if (!health.success)
    return poor(name, `${port} on ${host} is taken by another program: stop it, or set MINTFOLD_PORT (0 takes a free one)`)
  const words = `mintfold ${health.data.version} answers on ${url}`
  return running === undefined ? poor(name, `${words}, on another data directory: stop it, or set MINTFOLD_PORT`) : good(name, words)
}

const listenError = (host: string, port: number): Promise<string | undefined> =>
  new Promise((settle) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message))
    probe.listen(port, host, () => probe.close(() => settle(undefined)))
  })

const checkNode = async (name: string, rpcUrl: string, variable: string): Promise<Check> => {
  const origin = new URL(rpcUrl).origin
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot', params: [{ commitment: 'finalized' }] })
    const answer = await ask(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const refused = z.object({ error: z.object({ code: z.number(), message: z.string() }) }).safeParse(answer)
    if (refused.success) throw new Error(`it refuses: ${refused.data.error.code} ${refused.data.error.message}`)
    const { result } = z.object({ result: z.number() }).parse(answer)
    return good(name, `${origin} answers: finalized slot ${result}`)
  } catch (failure) {
    return poor(name, `${origin} does not answer getSlot (${reasonOf(failure)}): check ${variable}`)
  }
}

const checkHistory = async ({ dataDir, clickhouse, kafka }: Settings): Promise<Check> => {
  const name = 'clickhouse'
  const target = await readerOf(dataDir, clickhouse, WRITER)
  if (target === null) return good(name, 'the embedded engine starts with `up`')
  const { origin } = new URL(target.url)
  const client = createHistoryClient(target, ANSWER_MS_MAX)
  try {
    const version = await client.checkVersion()
    if (kafka === null) await refuseHistoryOfAnother(client, await idInDirectory(join(dataDir, 'log')))
    return good(name, `${origin} answers: ClickHouse ${version}`)
  } catch (failure) {
    return poor(name, messageOf(failure).replaceAll(target.url, origin))
  } finally {
    await client.close()
  }
}

/** Undefined where there is no log yet, or one without an id. */
const idInDirectory = async (dir: string): Promise<string | undefined> => {
  if (!existsSync(dir)) return undefined
  const log = await watchLmdbLog(dir)
  try {
    return logIdIn(log.inputsOf(LOG_ID_OWNER))
  } finally {
    await log.close()
  }
}

const KEY_STATUSES: ReadonlySet<number> = new Set([401, 403])

/** JSON of a 2xx answer. Follows no redirect: a key in the address goes nowhere else. */
const ask = async (url: string, init: RequestInit = {}): Promise<unknown> => {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS_MAX) })
  const text = (await response.text()).slice(0, ANSWER_CHARS_MAX)
  if (KEY_STATUSES.has(response.status)) throw new Error(`status ${response.status}: it refuses the key or the login`)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return JSON.parse(text)
}

/** In a few words and without addresses, which may hold keys. */
const reasonOf = (failure: unknown): string => {
  if (failure instanceof z.ZodError) return 'the answer is of another kind'
  const cause = typeof failure === 'object' && failure !== null && 'cause' in failure ? failure.cause : undefined
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined
  return code ?? messageOf(failure).replace(/https?:\S+/g, 'the address')
}
