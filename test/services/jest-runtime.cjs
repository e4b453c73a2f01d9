// Jest's runtime with two differences, which save processor time.
// 1. Node loads packages, once per process; Jest would load them once per test file. Tests can therefore not mock a package, and the tests
// of this project must not: they fake ports. Processor time without this: x 1.18 for 30 small files (2026-11-25, three pairs). A package
// that must be initialized once a process is, although each file has its own copy of our module that does it.
// 2. The runner keeps the running test in a plain variable. Jest keeps it in an AsyncLocalStorage, and every promise consults one such
// storage for each file that has run in the process. With the variable, an error that is thrown after a test's end counts for the test that
// runs then, so that a test still fails. Processor time without this: x 1.08 for 30 small files, x 1.7 for 110 files in one process
// (2026-11-25, three and two pairs).
const { createRequire, isBuiltin } = require('node:module')
const { default: Runtime } = require('jest-runtime')

const PACKAGES = '/node_modules/'
/** Node's loader for a file. */
const loaders = new Map()

const INITIALIZED_ONCE = '@bokuweb/zstd-wasm'
let initialized

const initializedOnce = (exported) => ({
  ...exported,
  init: () => {
    initialized ??= exported.init()
    return initialized
  },
})

const isOfPackage = (from, name) => !from.includes(PACKAGES) && !/^[./]|^@jest\//.test(name) && !isBuiltin(name)

const loaderOf = (from) => {
  const known = loaders.get(from)
  if (known !== undefined) return known
  const load = createRequire(from)
  loaders.set(from, load)
  return load
}

/** Replaces AsyncLocalStorage where one test runs at a time, as in all files of this project (no `test.concurrent`). */
class RunningTest {
  #store

  getStore() {
    return this.#store
  }

  run(store, work) {
    const before = this.#store
    this.#store = store
    return Promise.resolve(work()).finally(() => {
      this.#store = before
    })
  }
}

exports.__esModule = true
exports.default = class OncePerProcess extends Runtime {
  constructor(...options) {
    super(...options)
    const load = this.coreModule.require.bind(this.coreModule)
    this.coreModule.require = (name) => (name === 'node:async_hooks' ? { AsyncLocalStorage: RunningTest } : load(name))
  }

  requireModuleOrMock(from, name) {
    if (!isOfPackage(from, name)) return super.requireModuleOrMock(from, name)
    const exported = loaderOf(from)(name)
    return name === INITIALIZED_ONCE ? initializedOnce(exported) : exported
  }
}
