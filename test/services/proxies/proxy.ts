// Starts a proxy of Debian before a server on loopback, as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/free-port.ts'
import { programPath } from '../../tools/program.ts'
import { until } from '../../tools/until.ts'
import { describeGiven } from '../describe-given.ts'
import { configFile, defaultConfig, type Place, type Prepared } from './configs.ts'
import { findProxy, type InstalledProxy, type ProxyName } from './packages.ts'

/** Time for a proxy to end after SIGTERM, before SIGKILL. */
const END_MS_MAX = 5_000

export interface RunningProxy {
  readonly url: string
  readonly port: number
  /** Scratch directory, with its logs and caches. */
  readonly dir: string
  close(): Promise<void>
}

export interface ProxyOptions {
  /** Of the server behind it. */
  readonly upstream: number
  /** Default: a free one. */
  readonly port?: number
  /** Default: as Debian ships it. */
  readonly prepare?: (place: Place) => Prepared | Promise<Prepared>
  /** Default: that of the machine, or unpacked. */
  readonly installed?: InstalledProxy
}

export const startProxy = async (name: ProxyName, options: ProxyOptions): Promise<RunningProxy> => {
  const { upstream, prepare = (place) => defaultConfig(name, place), installed = findProxy(name) } = options
  if (installed === undefined) throw new Error(`${name} is neither installed nor unpacked`)
  const dir = await mkdtemp(join(tmpdir(), `mintfold-${name}-`))
  // Some proxies run as another user.
  await chmod(dir, 0o777)
  const port = options.port ?? (await freePort())
  const place: Place = { ...installed, dir, port, upstream }
  const { config, args } = await prepare(place)
  await writeFile(configFile(place), config)
  const child = spawn(installed.program, args, {
    env: { ...process.env, LD_LIBRARY_PATH: `${installed.root}usr/lib/${ARCHITECTURE}-linux-gnu`, HOME: dir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000)
  })
  const close = async (): Promise<void> => {
    await ended(child)
    await rm(dir, { recursive: true, force: true })
  }
  await until(async () => child.exitCode !== null || (await answers(port)), { seen: () => said })
  if (child.exitCode !== null) {
    await close()
    throw new Error(`${name} ended with ${child.exitCode}: ${said}`)
  }
  return { url: `http://127.0.0.1:${port}`, port, dir, close }
}

const ARCHITECTURE = process.arch === 'arm64' ? 'aarch64' : 'x86_64'

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    connect(port, '127.0.0.1', function (this: Socket) {
      this.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const kill = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX)
    child.once('exit', () => {
      clearTimeout(kill)
      resolve()
    })
    child.kill('SIGTERM')
  })

const NO_NGINX = 'no nginx of Debian, or no openssl: install both, or unpack nginx into the folder PROXY_PACKAGES'

/** A group of tests that need nginx; with NGINX_TESTS=required it fails without. */
export const describeNginx = (name: string, tests: () => void): void => {
  const isThere = findProxy('nginx') !== undefined && programPath('openssl') !== undefined
  describeGiven(name, tests, { isThere, lack: NO_NGINX, variable: 'NGINX_TESTS' })
}
