// Runs the official conformance suite of MCP against a server.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ON_NODE_20 = fileURLToPath(new URL('./on-node-20.mjs', import.meta.url))
const SUITE = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist', 'index.js')
/** Of a scenario. */
const MS_MAX = 60_000

export interface Check {
  readonly scenario: string
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

/** Every check of every scenario of a revision, run against a server. */
export const checksOf = async (url: string, revision: string): Promise<readonly Check[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'mintfold-conformance-'))
  try {
    const before = Number.parseInt(process.versions.node, 10) < 22 ? ['--import', ON_NODE_20] : []
    const asked = ['server', '--url', url, '--suite', 'all', '--spec-version', revision, '--timeout', String(MS_MAX), '-o', folder]
    // Exits with 1 if a scenario fails: its files have the results.
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [...before, SUITE, ...asked], (_failure, stdout, stderr) => resolve(stdout + stderr))
    })
    const names = await readdir(folder)
    if (names.length === 0) throw new Error(`the conformance suite wrote no results: ${output.slice(-2_000)}`)
    const read = names.map(async (name) => {
      const [, scenario = name] = /^server-(.*)-\d{4}-\d\d-\d\dT[-\dZ]+$/.exec(name) ?? []
      const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Omit<Check, 'scenario'>[]
      return checks.map((check) => ({ ...check, scenario }))
    })
    return (await Promise.all(read)).flat()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
