// Runs test files in the context of Node itself, like the product. Jest's own environment gives each file a sandbox whose globals (Math,
// Buffer, Map) are looked up through a Proxy: the folds of `look-ahead` took twice as long in it. Processor time without it: x 1.10 for 30
// small files (2026-11-25, three pairs).
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment'
import { ModernFakeTimers } from '@jest/fake-timers'
import { TestEnvironment } from 'jest-environment-node'

/** Most code here runs for a second: optimized compilation does not pay. x 1.11 without it, for the same 30 files and day. */
setFlagsFromString('--interrupt-budget=200000')

/** Marks Node's own context where Jest requires one: Node has no name for it. */
const own = new WeakSet<object>()

const { compileFunction } = vm
vm.compileFunction = (code, params, options) => {
  const { parsingContext, ...others } = options ?? {}
  return compileFunction(code, params, parsingContext !== undefined && own.has(parsingContext) ? others : options)
}

/** Files share globals with earlier files of the same process, so they must leave these unchanged. */
export default class OneContext extends TestEnvironment {
  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context)
    if (this.context !== null) own.add(this.context)
    this.global = globalThis as unknown as typeof this.global
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis })
  }
}
