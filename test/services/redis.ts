// A Redis for tests: that of REDIS_TEST_URL, else a local redis-server on a free port without persistence.
import { type ChildProcess, spawn } from 'node:child_process'
import { createClient } from '@redis/client'
import { freePort } from '../tools/free-port.ts'
import { programPath } from '../tools/program.ts'
import { until } from '../tools/until.ts'
import { describeGiven } from './describe-given.ts'

export interface TestRedis {
  readonly url: string
  /** SIGKILL, if it is an own one. */
  stop(): Promise<void>
}

const NO_REDIS = 'no Redis: set REDIS_TEST_URL, or install redis-server'
export const NO_OWN_REDIS = 'no Redis that may be stopped: install redis-server'

const binary = (): string | undefined => programPath('redis-server')

/** Whether one can be started here, which may then be stopped. */
export const hasOwnRedis = (): boolean => binary() !== undefined

export interface OwnRedis extends TestRedis {
  readonly pid: number
  readonly port: number
  /** It stops responding without ending. */
  freeze(): void
  thaw(): void
}

export interface RedisOptions {
  /** Default: a free one. */
  readonly port?: number
  /** Existing directory of its append-only file, with the settings that `deploy` recommends; by default it stores nothing. */
  readonly dir?: string
}

export const startRedis = async (): Promise<TestRedis> => {
  const given = process.env.REDIS_TEST_URL
  if (given) return { url: given, stop: async () => undefined }
  return startOwnRedis()
}

const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction']

/** One that the test may kill. */
export const startOwnRedis = async ({ port, dir }: RedisOptions = {}): Promise<OwnRedis> => {
  const path = binary()
  if (path === undefined) throw new Error(NO_OWN_REDIS)
  const on = port ?? (await freePort())
  const stored = dir === undefined ? ['--appendonly', 'no'] : ['--dir', dir, ...DURABLE]
  const args = ['--port', String(on), '--bind', '127.0.0.1', '--save', '', '--daemonize', 'no', ...stored]
  const child = spawn(path, args, { stdio: 'ignore' })
  const url = `redis://127.0.0.1:${on}`
  await answering(url)
  return {
    url,
    port: on,
    pid: child.pid ?? 0,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: () => ended(child),
  }
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

const answering = async (url: string): Promise<void> => {
  await until(async () => {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.ping()
      return true
    } finally {
      if (client.isOpen) client.destroy()
    }
  })
}

const describeWith =
  (hasIt: () => boolean, lack: string) =>
  (name: string, tests: () => void): void =>
    describeGiven(name, tests, { isThere: hasIt(), lack, variable: 'REDIS_TESTS' })

/** A group of tests that need Redis; with REDIS_TESTS=required it fails without one. */
export const describeRedis = describeWith(() => hasOwnRedis() || Boolean(process.env.REDIS_TEST_URL), NO_REDIS)
/** The same for tests that freeze or stop it. */
export const describeOwnRedis = describeWith(hasOwnRedis, NO_OWN_REDIS)
