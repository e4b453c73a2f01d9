// Runs test files in the context of Node itself, like the product. Jest's own environment gives each file a sandbox whose globals (Math,
// Buffer, Map) are looked up through a Proxy: the folds of `look-ahead` took twice as long in it, and 30 small files 1.10
// times the processor time (2026-11-25, three pairs).
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment'
import { ModernFakeTimers } from '@jest/fake-timers'
import { TestEnvironment } from 'jest-environment-node'

/** Most test code runs for a second: optimized compilation does not pay. Without this flag, the same files took 1.11 times as much. */
setFlagsFromString(Number(process.versions.node.split('.')[0]) < 24 ? '--interrupt-budget=200000' : '--invocation-count-for-turbofan=10000')

/** The contexts that Jest requires of test files. Code for them is compiled in Node's own context, which has no such object. */
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
