// Two embedded engines as the shards of one ClickHouse cluster. They have real Distributed tables over the native protocol. The embedded
// engine has no replication and runs no distributed DDL: `ddl-front.ts` does the latter, and makes tables without replicas.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../tools/free-port.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { until } from '../../tools/until.ts'
import { type Front, openFront } from './ddl-front.ts'

export const CLUSTER = 'pair'
const SHARDS = 2
const CHILD = fileURLToPath(new URL('./shard.cjs', import.meta.url))
const START_MS_MAX = 60_000

export interface Shards {
  /** One per shard; each gives access to the whole cluster. */
  readonly fronts: readonly Front[]
  /** HTTP ports of the engines. */
  readonly ports: readonly number[]
  /** SIGKILL; resolves once the engine runs again on its data. */
  kill(shard: number): Promise<void>
  remove(): Promise<void>
}

interface Ports {
  readonly http: number
  readonly native: number
}

export const startShards = async (): Promise<Shards> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-shards-'))
  const ports: Ports[] = []
  for (let n = 0; n < SHARDS; n++) ports.push({ http: await freePort(), native: await freePort() })
  let isEnding = false
  const engines: (ChildProcess | undefined)[] = []
  /** Also restarts an engine that ends by itself: this one does when a connection of another engine is reset. */
  const start = (n: number): void => {
    const engine = spawn(process.execPath, argumentsOf(dir, n, ports), { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    engine.once('exit', () => {
      if (!isEnding) start(n)
    })
    engines[n] = engine
  }
  const isReady = async (n: number): Promise<boolean> =>
    fetch(`http://127.0.0.1:${ports[n]?.http}/ping`).then(
      (response) => response.ok,
      () => false,
    )
  const ready = (n: number): Promise<void> => until(() => isReady(n), { msMax: START_MS_MAX })
  for (let n = 0; n < SHARDS; n++) start(n)
  await Promise.all(ports.map((_, n) => ready(n)))
  const http = ports.map((one) => one.http)
  const fronts = await Promise.all(http.map((own) => openFront(own, http)))
  return {
    fronts,
    ports: http,
    kill: async (shard) => {
      engines[shard]?.kill('SIGKILL')
      await until(async () => !(await isReady(shard)))
      await ready(shard)
    },
    remove: async () => {
      isEnding = true
      await Promise.all(fronts.map((front) => front.close()))
      await Promise.all(engines.map(ended))
      removeDirectory(dir)
    },
  }
}

const ended = (engine: ChildProcess | undefined): Promise<void> =>
  new Promise((resolve) => {
    engine?.once('exit', () => resolve())
    engine?.kill('SIGKILL')
  })

const argumentsOf = (dir: string, n: number, ports: readonly Ports[]): string[] => {
  const own = join(dir, String(n))
  mkdirSync(own, { recursive: true })
  const config = join(own, 'config.xml')
  writeFileSync(config, configXml(n, ports))
  return [CHILD, join(own, 'data'), config, String(ports[n]?.http), String(ports[n]?.native)]
}

const configXml = (n: number, ports: readonly Ports[]): string => `<clickhouse>
 <logger><level>none</level></logger>
 <timezone>UTC</timezone>
 <max_server_memory_usage>600000000</max_server_memory_usage>
 <mark_cache_size>33554432</mark_cache_size>
 <max_thread_pool_free_size>8</max_thread_pool_free_size>
 <macros><shard>${n + 1}</shard><replica>1</replica></macros>
 <remote_servers><${CLUSTER}>
${ports.map(({ native }) => `  <shard><replica><host>127.0.0.1</host><port>${native}</port></replica></shard>`).join('\n')}
 </${CLUSTER}></remote_servers>
</clickhouse>
`
