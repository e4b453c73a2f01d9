// Runs test files in the context of Node itself, like the product. Jest's own environment gives each file a sandbox whose globals (Math,
// Buffer, Map) are looked up through a Proxy: the folds of `look-ahead` took twice as long in it, and 30 small files 1.10
// times the processor time (2026-11-25, three pairs).
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment'
import { ModernFakeTimers } from '@jest/fake-timers'
import { TestEnvironment } from 'jest-environment-node'
import { ROOT } from '../tools/project-files.ts'
import { takeSlot } from '../tools/slots.ts'
import { SLOTS_VARIABLE } from './shared.ts'

/** Most test code runs for a second: optimized compilation does not pay. Without this flag, the same files took 1.11 times as much. */
setFlagsFromString(Number(process.versions.node.split('.')[0]) < 24 ? '--interrupt-budget=200000' : '--invocation-count-for-turbofan=10000')

/** The contexts that Jest requires of test files. Code for them is compiled in Node's own context, which has no such object. */
const own = new WeakSet<object>()

const { compileFunction } = vm
vm.compileFunction = (code, params, options) => {
  const { parsingContext, ...others } = options ?? {}
  return compileFunction(code, params, parsingContext !== undefined && own.has(parsingContext) ? others : options)
}

/** Processor seconds of this process and of its children that have ended; the latter on Linux only. */
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childrenSeconds()
}
const TICKS_A_S = 100
const childrenSeconds = (): number => {
  if (!existsSync('/proc/self/stat')) return 0
  const text = readFileSync('/proc/self/stat', 'utf8')
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
  return (Number(user) + Number(system)) / TICKS_A_S
}

/** Reasons by path. */
const DEAR = JSON.parse(readFileSync(join(ROOT, 'test/tools/dear-files.json'), 'utf8')) as Readonly<Record<string, string>>

/** Files share globals with earlier files of the same process, so they must leave these unchanged. */
export default class OneContext extends TestEnvironment {
  readonly #path: string
  readonly #before = cpuSeconds()
  #loaded = this.#before
  #leave = (): void => {}

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    // Jest keeps the handlers of a file's events in a global: those of earlier files would run for each test of this one.
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'))
    super(config, context)
    this.#path = context.testPath
    if (this.context !== null) own.add(this.context)
    this.global = globalThis as unknown as typeof this.global
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis })
  }
  /** Dear files run two at a time: a third worker that gets one waits here for its turn. */
  override async setup(): Promise<void> {
    await super.setup()
    const socketPath = process.env[SLOTS_VARIABLE]
    if (socketPath !== undefined && relative(ROOT, this.#path) in DEAR) this.#leave = await takeSlot(socketPath)
  }
  handleTestEvent({ name }: { readonly name: string }): void {
    if (name === 'run_start') this.#loaded = cpuSeconds()
  }
  /** Notes the file's cost for the reporter `costs.cjs`. */
  override async teardown(): Promise<void> {
    await super.teardown()
    this.#leave()
    const dir = process.env.TEST_COSTS_DIR
    if (dir === undefined) return
    const note = { path: this.#path, loadingS: this.#loaded - this.#before, cpuS: cpuSeconds() - this.#before }
    writeFileSync(join(dir, `${createHash('sha256').update(this.#path).digest('hex')}.json`), JSON.stringify(note))
  }
}
