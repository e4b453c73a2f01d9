// The services of deploy/compose.yaml without containers: their commands and settings, on this machine's broker, registry, ClickHouse and
// Redis, from the file tree of the image.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UpProcess } from '../../soak/up-process.ts'
import { freePort } from '../../tools/free-port.ts'
import { IMAGE_ENV, type ImageTree } from '../../tools/image-tree.ts'
import { composeWith, DOT_ENV, rolesOf } from '../../unit/deploy/compose-given.ts'
import { knownSettings } from '../../unit/deploy/given-deploy.ts'

const run = promisify(execFile)

/** Addresses of the services that compose starts from other images. */
export interface Elsewhere {
  readonly brokers: string
  readonly registryUrl: string
  readonly redisUrl: string
  readonly clickhouse: { readonly url: string; readonly username: string; readonly password: string }
  /** Of the topics, which other tests do not share. */
  readonly prefix: string
}

export interface Started {
  readonly process: UpProcess
  readonly url: string
  /** Folder of its volume. */
  readonly volume: string
  /** True if the address that the health check asks answers 200: the same question without the start of a process. */
  isUp(): Promise<boolean>
  /** Exit code of the health check of its service, or of the image if the service has none. */
  health(): Promise<number>
}

/** As in health.mjs. */
const HEALTH_MS_MAX = 5_000
/** Minutes of market before the start, not the demo's hours, which every role would have to catch up with. */
const PAST = ['--history', '0.25']

export class ComposeHere {
  readonly #tree: ImageTree
  readonly #elsewhere: Elsewhere
  readonly #started: Started[] = []
  constructor(tree: ImageTree, elsewhere: Elsewhere) {
    this.#tree = tree
    this.#elsewhere = elsewhere
  }
  /** Starts a service with an .env that has these variables too. `port`: of its API, or of the sandbox. */
  async start(name: string, dotEnv: Readonly<Record<string, string>> = {}, out?: (line: string) => void): Promise<Started> {
    const [port, metrics] = [await freePort(), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const compose = composeWith({ ...DOT_ENV, ...dotEnv, SERVE_1_URL: url, SERVE_2_URL: url })
    const role = rolesOf(compose).find((one) => one.name === name)
    if (role === undefined) throw new Error(`compose.yaml has no service ${name}`)
    const volume = this.#tree.volume(name)
    const here = this.#settings(knownSettings(role.env), volume, metrics)
    const args = [...role.args, ...(name === 'sandbox' ? ['--port', String(port)] : []), ...(name === 'capture' ? PAST : [])]
    const process = new UpProcess({
      ...{ dataDir: volume, port, args: [join(this.#tree.dir, 'topology/cli/mintfold.mjs'), ...args], cwd: this.#tree.dir },
      ...{ env: here, ...this.#tree.user, ...(out !== undefined && { out }) },
    })
    const check = role.service.healthcheck?.test ?? ['CMD', 'node', 'topology/cli/health.mjs', 'http://127.0.0.1:9464/metrics']
    const words = check.slice(2).map((word) => word.replace(/:(?:8402|8404)\//, `:${port}/`).replace(':9464/', `:${metrics}/`))
    const health = (): Promise<number> =>
      run(globalThis.process.execPath, words, { cwd: this.#tree.dir, ...this.#tree.user }).then(
        () => 0,
        ({ code }: { readonly code: number }) => code,
      )
    const isUp = (): Promise<boolean> =>
      fetch(words.at(-1) ?? '', { signal: AbortSignal.timeout(HEALTH_MS_MAX) }).then(
        ({ status }) => status === 200,
        () => false,
      )
    const started = { process, url, volume, isUp, health }
    this.#started.push(started)
    return started
  }
  /** Runs a command in a service, as `docker compose exec` does. */
  async exec({ volume }: Started, args: readonly string[]): Promise<string> {
    const words = [join(this.#tree.dir, 'topology/cli/mintfold.mjs'), ...args]
    const env = { ...IMAGE_ENV, MINTFOLD_DATA_DIR: volume }
    return (await run(process.execPath, words, { ...this.#tree.user, cwd: this.#tree.dir, env })).stdout
  }
  async close(): Promise<void> {
    await Promise.all(this.#started.map((one) => one.process.kill()))
  }

  /** The settings of a service, with the addresses of this machine instead of those of compose's network. */
  #settings(env: Readonly<Record<string, string | undefined>>, volume: string, metrics: number): Readonly<Record<string, string>> {
    const { brokers, registryUrl, redisUrl, clickhouse, prefix } = this.#elsewhere
    const here: Readonly<Record<string, string>> = {
      KAFKA_BROKERS: brokers,
      SCHEMA_REGISTRY_URL: registryUrl,
      REDIS_URL: redisUrl,
      CLICKHOUSE_URL: clickhouse.url,
      CLICKHOUSE_USERNAME: clickhouse.username,
      CLICKHOUSE_PASSWORD: clickhouse.password,
    }
    const moved = Object.entries({ ...IMAGE_ENV, ...env }).map(([name, value = '']) => [name, here[name] ?? value] as const)
    const own = {
      MINTFOLD_DATA_DIR: volume,
      MINTFOLD_METRICS_PORT: String(metrics),
      MINTFOLD_TOPIC_PREFIX: prefix,
      MINTFOLD_PARTITIONS: '4',
    }
    return { ...Object.fromEntries(moved), ...own }
  }
}
