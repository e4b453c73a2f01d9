// Jest reporter: processor seconds of a run by file (its child processes included) and by cause, and the number of `expect` calls.
// COSTS_FILE names a file that gets all figures as JSON. Seconds of children and causes are measured on Linux only.
const { existsSync, readdirSync, readFileSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join, relative } = require('node:path')
const NAMED = require('./dear-files.json')

const ROOT = join(__dirname, '../..')
/** Processor time is counted in these units on Linux. */
const TICKS_A_S = 100
const SAMPLE_MS = 1_000
const SHOWN = 25
/** A run with at least this many files is a whole one. */
const WHOLE_FILES = 500
/** Limit of one file, 15 s of 1,500: a share, because machines differ in speed. */
const SHARE_MAX = 0.01

/** By command line, in this order. */
const CAUSES = [
  ['jest workers', /jest-worker/],
  ['ClickHouse engines', /clickhouse/],
  ['Kafka and registry', /^java\b|\/java\b/],
  ["the product's programs", /mintfold\.mjs/],
  ['programs of tests', /test\/tools\/run\.mjs/],
  ['Chromium', /chrom/],
  ['bundler', /esbuild/],
  ['Python', /python/],
]
const OTHERS = 'other processes'

/** Jest's console would name the place of each call. */
const print = (line) => process.stderr.write(`${line}\n`)

/** @returns parent, processor ticks and start of a process; undefined if it has ended */
const statOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]), start: fields[19] }
  } catch {
    return undefined
  }
}
const causeOf = (pid) => {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // A process that has ended, and whose parent has not asked for its exit code yet, has none.
    if (line === '') return undefined
    return (CAUSES.find(([, pattern]) => pattern.test(line)) ?? [OTHERS])[0]
  } catch {
    return undefined
  }
}

/** Follows all processes that descend from this one. What a process uses after its last sample is missing. */
class Processes {
  #known = new Map()

  sample() {
    const stats = new Map()
    for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) stats.set(Number(name), statOf(name))
    const isOurs = (pid, stat) =>
      this.#known.has(`${pid} ${stat.start}`) || stat.parent === process.pid || this.#isKnown(stats, stat.parent)
    for (const [pid, stat] of [...stats].sort(([a], [b]) => a - b)) {
      if (stat === undefined || !isOurs(pid, stat)) continue
      const key = `${pid} ${stat.start}`
      this.#known.set(key, { ticks: stat.ticks, cause: causeOf(pid) ?? this.#known.get(key)?.cause ?? OTHERS })
    }
  }
  /** Seconds by cause. */
  seconds() {
    const sums = {}
    for (const { ticks, cause } of this.#known.values()) sums[cause] = (sums[cause] ?? 0) + ticks / TICKS_A_S
    return sums
  }
  #isKnown(stats, pid) {
    const stat = stats.get(pid)
    return stat !== undefined && this.#known.has(`${pid} ${stat.start}`)
  }
}

module.exports = class Costs {
  #processes = new Processes()
  #timer
  #error

  onRunStart() {
    process.env.TEST_COSTS_DIR = mkdtempSync(join(tmpdir(), 'mintfold-costs-'))
    if (!existsSync('/proc/self/stat')) return
    this.#timer = setInterval(() => this.#processes.sample(), SAMPLE_MS)
    this.#timer.unref()
  }
  onRunComplete(_contexts, results) {
    clearInterval(this.#timer)
    const files = this.#filesOf(results)
    const sum = (field) => Math.round(files.reduce((total, file) => total + file[field], 0))
    const cpuS = sum('cpuS')
    const expects = sum('expects')
    const { user, system } = process.cpuUsage()
    const causes = {
      'jest itself': (user + system) / 1e6,
      ...this.#processes.seconds(),
      'of the workers, loading modules': sum('loadingS'),
    }
    if (process.env.COSTS_FILE) writeFileSync(process.env.COSTS_FILE, JSON.stringify({ cpuS, expects, causes, files }, null, 1))
    if (files.length < 2) return
    for (const { path, cpuS: s } of files.slice(0, SHOWN)) print(`${s.toFixed(1).padStart(7)} CPU s ${path}`)
    for (const [cause, s] of Object.entries(causes)) print(`${s.toFixed(1).padStart(7)} CPU s ${cause}`)
    print(`${cpuS} CPU s of ${files.length} files, ${expects} expect calls`)
    if (files.length >= WHOLE_FILES) this.#check(files, cpuS)
  }
  getLastError() {
    return this.#error
  }
  /** Dearest first. */
  #filesOf(results) {
    const dir = process.env.TEST_COSTS_DIR
    const noted = new Map(
      readdirSync(dir)
        .map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')))
        .map((one) => [one.path, one]),
    )
    rmSync(dir, { recursive: true, force: true })
    return results.testResults
      .map(({ testFilePath, testResults }) => {
        const { loadingS = 0, cpuS = 0 } = noted.get(testFilePath) ?? {}
        const expects = testResults.reduce((total, { numPassingAsserts }) => total + numPassingAsserts, 0)
        return { path: relative(ROOT, testFilePath), cpuS, loadingS, expects }
      })
      .sort((a, b) => b.cpuS - a.cpuS)
  }
  #check(files, cpuS) {
    const dear = files.filter((file) => file.cpuS > cpuS * SHARE_MAX && !(file.path in NAMED)).map(({ path }) => path)
    if (dear.length === 0) return
    const words = `takes more than ${SHARE_MAX * 100} % of the run: make it cheaper, or name it with the reason in test/tools/dear-files.json`
    for (const path of dear) print(`${path} ${words}`)
    this.#error = new Error(`${dear.join(', ')}: ${words}`)
  }
}
