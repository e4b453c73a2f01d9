// Jest's runtime, but packages are loaded as Node loads them: once a process instead of once a test file, which took half of the time of
// a small one. Tests can therefore not put a double in a package's place, which none of ours may: they stand on ports.
const { createRequire, isBuiltin } = require('node:module')
const { default: Runtime } = require('jest-runtime')

const PACKAGES = '/node_modules/'
/** How Node loads for a file. */
const loaders = new Map()

const isOfPackage = (from, name) => !from.includes(PACKAGES) && !/^[./]|^@jest\//.test(name) && !isBuiltin(name)

const loaderOf = (from) => {
  const known = loaders.get(from)
  if (known !== undefined) return known
  const load = createRequire(from)
  loaders.set(from, load)
  return load
}

exports.__esModule = true
exports.default = class OncePerProcess extends Runtime {
  requireModuleOrMock(from, name) {
    return isOfPackage(from, name) ? loaderOf(from)(name) : super.requireModuleOrMock(from, name)
  }
}
