// The processes of the product in a cluster. Each has its own data directory, which it finds again after a restart.
import { fileURLToPath } from 'node:url'
import type { KafkaWorld } from '../kafka-world.ts'
import type { UpProcess } from '../up-process.ts'

const CLOCK = fileURLToPath(new URL('../../fakes/stepped-clock.cjs', import.meta.url))
const BEGUN_MS_MAX = 180_000
/** Without the requests that servers log. */
const LAST_LINES = 60
/** A paid answer is stored for ten minutes by the server's clock: a server that is an hour ahead would refuse to send it again. */
const SERVER_CLOCK_STEP_MS_MAX = 120_000

export type Role = 'process' | 'serve' | 'capture'
type Env = Readonly<Record<string, string>>

export interface RolesOptions {
  readonly world: KafkaWorld
  readonly roles: readonly Role[]
  /** Speed of the captured stream. */
  readonly speed: number
  readonly env: Env
  /** Added for `serve`. */
  readonly serverEnv: Env
}

export class Roles {
  readonly #options: RolesOptions
  readonly #running: UpProcess[] = []
  readonly #ended: string[] = []

  constructor(options: RolesOptions) {
    this.#options = options
  }
  /** The first `process` creates the topics. */
  async start(): Promise<void> {
    for (const at of this.#options.roles.keys()) {
      this.#running[at] = await this.#role(at, this.#options.speed)
      if (at === 0) await this.#running[at].printed('processes from', BEGUN_MS_MAX)
    }
  }
  get count(): number {
    return this.#options.roles.length
  }
  at(n: number): UpProcess {
    return this.#running[n] as UpProcess
  }
  get serverUrls(): readonly string[] {
    return this.#running.filter((_, at) => this.#options.roles[at] === 'serve').map(({ url }) => url)
  }
  /** SIGKILL, and a start at once. */
  async kill(n: number): Promise<void> {
    const { roles, speed } = this.#options
    const role = this.at(n)
    if (!role.isAlive && roles[n] !== 'capture') this.#ended.push(`${roles[n]} ended: ${told(role.lines)}`)
    await role.kill()
    this.#running[n] = await this.#role(n, speed)
  }
  /** Sends the rest of the stream at full speed. */
  async finishCapture(): Promise<void> {
    const at = this.#options.roles.indexOf('capture')
    await this.#running[at]?.kill()
    this.#running[at] = await this.#role(at, 'max')
  }
  stop(): Promise<readonly (number | null)[]> {
    return Promise.all(this.#running.map((role) => role.stop()))
  }
  /** Those that ended by themselves and were started again, each with its last lines. */
  get ended(): readonly string[] {
    return this.#ended
  }
  get lastLines(): readonly string[] {
    return this.#running.map(({ lines }, at) => `${this.#options.roles[at]}: ${told(lines)}`)
  }

  #role(at: number, speed: number | 'max'): Promise<UpProcess> {
    const { world, roles, env, serverEnv } = this.#options
    const own = { ...env, NODE_OPTIONS: `--require=${CLOCK}` }
    const name = `${roles[at]}-${at}`
    if (roles[at] === 'serve') return world.serve(name, { ...own, ...serverEnv, CLOCK_STEP_MS_MAX: String(SERVER_CLOCK_STEP_MS_MAX) })
    return Promise.resolve(roles[at] === 'process' ? world.process(own, name) : world.capture(speed, own))
  }
}

const told = (lines: readonly string[]): string =>
  lines
    .filter((line) => !line.includes('"msg":"request"'))
    .slice(-LAST_LINES)
    .join(' | ')
