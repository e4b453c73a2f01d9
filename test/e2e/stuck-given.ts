// Data directories of a demo in which something went wrong, and a product process started on them.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import type { Topic } from '../../schemas/topics.ts'
import { openSource } from '../../topology/cli/wiring/open-source.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { type DurableLog, openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { decodeNumber, decodeRecord, encodeRecord, recordKey, topicKey } from '../../topology/logs/lmdb/lmdb-keys.ts'
import type { Log } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { mintEvidence } from '../shipped.ts'
import { BIN, startUp, type UpProcess } from '../soak/up-process.ts'
import { freePort } from '../tools/free-port.ts'

export const PARTITIONS = 2
/** Numbers of demo frames: folded before the fault, sent before it, and all. The demo has some ten forks and is unpaced. */
export const FOLDED = 200
export const SENT = 460
const FRAMES = 500
const DEMO = { source: 'demo:solana', history: 0, forks: 240, rate: 4 } as const
const POLL_MS = 20
const WAIT_MS_MAX = 60_000

/** A new directory. */
export const directory = (): string => mkdtempSync(join(tmpdir(), 'mintfold-stuck-'))
export const openDirectory = (dir: string): Promise<DurableLog> => openLmdbLog({ dir: join(dir, 'log'), partitions: PARTITIONS })

/** Writes the first `frames` frames of the demo to the raw topic. */
export const sendUpTo = async (log: Log, frames = FRAMES): Promise<void> => {
  const stop = new AbortController().signal
  const { source } = await openSource(log, { chain: 'solana', options: { ...DEMO, frames } }, { dataDir: null, stop, folded: () => null })
  await source.prepare?.(() => {})
  await source.run()
}

/** Overwrites a record of a closed log with bytes that are no record. */
export const spoil = async (dir: string, topic: Topic, partition: number, offset: number): Promise<void> => {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const
  const env = open({ path: join(dir, 'log'), noSubdir: false, maxDbs: 2, ...binary })
  const rows = env.openDB<Uint8Array, Uint8Array>({ name: 'rows', ...binary })
  const number = rows.get(topicKey(topic.name))
  const key = recordKey({ topic: decodeNumber(number as Uint8Array), partition }, offset)
  const was = decodeRecord(offset, rows.get(key) as Uint8Array)
  await rows.put(key, encodeRecord(was.key, Buffer.from('no record')))
  await env.close()
}

/** Responses of `/ready` and `/health` during a start. */
export interface Seen {
  readonly up: UpProcess
  readonly texts: readonly string[]
  /** The last response of `/health`. */
  readonly health: Health
}
interface Health {
  readonly ok: boolean
  readonly degraded: readonly string[]
  readonly sources: readonly { readonly tip: number | null; readonly folded: number | null; readonly slots_behind: number | null }[]
}

const get = async (url: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(url)
  return { status: answer.status, text: await answer.text() }
}

/** Starts the product on a directory and polls until everything is folded and nothing is being rebuilt. */
export const startOn = async (dir: string, last: number): Promise<Seen> => {
  const options = Object.entries({ ...DEMO, frames: FRAMES }).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const args = [BIN, 'up', ...options]
  const env = { MINTFOLD_PAYMENTS: 'off', MINTFOLD_PARTITIONS: String(PARTITIONS), CLICKHOUSE_URL: 'http://127.0.0.1:9' }
  const up = await startUp({ dataDir: dir, port: await freePort(), args, env })
  const texts = new Set<string>()
  for (const untilMs = performance.now() + WAIT_MS_MAX; ; ) {
    const [ready, health] = await Promise.all([get(`${up.url}/ready`), get(`${up.url}/health`)])
    const body = JSON.parse(health.text) as Health
    texts.add(`${ready.status} ${ready.text}`)
    for (const reason of body.degraded) texts.add(reason)
    const isBehind = body.sources[0]?.folded !== last || body.degraded.some((reason) => reason.startsWith('tape_behind'))
    const isRebuilding = ready.text.includes('rebuil') || body.degraded.some((reason) => reason.startsWith('rebuilding'))
    if (ready.status === 200 && !isRebuilding && !isBehind) return { up, texts: [...texts], health: body }
    if (performance.now() > untilMs || !up.isAlive) throw new Error([...texts, ...up.lines].join('\n'))
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Every card in a log's view, by mint. */
export const cardsIn = async (log: Log): Promise<ReadonlyMap<string, string>> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const { folded, gap } = view.status()
  const cards = new Map<string, string>()
  for (const { mint, state } of view.launchesSince(0))
    cards.set(toBase58(mint as Key), JSON.stringify(mintEvidence(mint, state, { asOf: folded?.time ?? 0, gap })))
  await view.stop()
  return cards
}
