// A real EVM node in a separate process: anvil, a development dependency whose binary is an optional package.
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '../tools/free-port.ts'
import { describeGiven } from './describe-given.ts'

const SYSTEM: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'win32' }
const PROCESSOR: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const START_MS_MAX = 20_000

/** Null if this machine has none. */
const binary = (): string | null => {
  const name = `@foundry-rs/anvil-${SYSTEM[process.platform]}-${PROCESSOR[process.arch]}`
  try {
    const folder = createRequire(join(process.cwd(), 'package.json')).resolve(`${name}/package.json`)
    return folder.replace('package.json', `bin/anvil${process.platform === 'win32' ? '.exe' : ''}`)
  } catch {
    return null
  }
}

/** A group of tests that need anvil; with ANVIL_TESTS=required it fails without. */
export const describeAnvil = (name: string, tests: () => void): void => {
  const lack = 'anvil is not installed (npm ci with optional packages)'
  describeGiven(name, tests, { isThere: binary() !== null, lack, variable: 'ANVIL_TESTS' })
}

export class Anvil {
  readonly #process: ChildProcess
  readonly port: number

  private constructor(process: ChildProcess, port: number) {
    this.#process = process
    this.port = port
  }
  /** Passes anvil's own arguments in addition to the port and the chain id. */
  static async start(args: readonly string[]): Promise<Anvil> {
    const port = await freePort()
    const all = ['--port', String(port), '--chain-id', '4663', '--silent', ...args]
    const anvil = new Anvil(spawn(binary() as string, all, { stdio: 'ignore' }), port)
    for (const untilMs = performance.now() + START_MS_MAX; ; ) {
      const isUp = await anvil.ask('eth_chainId').then(
        () => true,
        () => false,
      )
      if (isUp) return anvil
      if (performance.now() > untilMs) throw new Error('anvil does not answer')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  get rpcUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }
  get wsUrl(): string {
    return `ws://127.0.0.1:${this.port}`
  }
  /** The result of one JSON-RPC request. */
  async ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(this.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGKILL')
    await ended
  }
}
