// Completes package-lock.json with the optional packages of other platforms. With a registry that serves only this platform's builds,
// `npm install` omits them and `npm ci` then fails. Run after every npm install: npm run complete-lock
import { readFileSync, writeFileSync } from 'node:fs'

const SYSTEMS = ['darwin', 'win32', 'android', 'freebsd', 'openharmony', 'linux']
const PROCESSORS = ['riscv64', 'loong64', 'arm64', 'amd64', 's390x', 'ppc64', 'x64', 'ia32', 'arm']

const file = new URL('../../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const packages = lock.packages

/** Whether `name` resolves from the package at path `from` in Node's lookup order: its own node_modules, then each parent's. */
const resolves = (from, name) => {
  for (let path = from; ; path = path.slice(0, Math.max(0, path.lastIndexOf('node_modules/'))).replace(/\/$/, '')) {
    if (packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true
    if (!path) return false
  }
}

const entryOf = (name, range, isDev) => {
  const base = name.split('/').at(-1)
  const os = SYSTEMS.find((system) => base.includes(system))
  const cpu = PROCESSORS.find((processor) => base.includes(processor))?.replace('amd', 'x')
  return {
    version: range.replace(/^[^0-9]+/, ''),
    ...(cpu && { cpu: [cpu] }),
    ...(isDev && { dev: true }),
    optional: true,
    ...(os && { os: [os] }),
  }
}

let added = 0
for (const [path, pkg] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(pkg.optionalDependencies ?? {})) {
    if (resolves(path, name)) continue
    packages[`node_modules/${name}`] = entryOf(name, range, pkg.dev)
    added++
  }
}
for (const pkg of Object.values(packages)) if (/^https?:/.test(pkg.resolved ?? '')) delete pkg.resolved
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${added} optional packages of other platforms added\n`)
