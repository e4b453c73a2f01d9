// External linters for our documents, installed once in the user's cache on request: 100 MB that no checkout needs.
import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PACKAGES = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3', '@agentcash/discovery@1.7.5'] as const
const INSTALL_MS_MAX = 300_000
const LINT_MS_MAX = 120_000
const BYTES_MAX = 64 * 1024 * 1024
const COMMANDS = {
  redocly: ['@redocly', 'cli', 'bin', 'cli.js'],
  spectral: ['@stoplight', 'spectral-cli', 'dist', 'index.js'],
  discovery: ['@agentcash', 'discovery', 'bin', 'discovery.js'],
} as const

/** True if `LINTERS` is `required` or `yes`: the linters run, and their tests fail if they cannot be installed. */
export const areLintersAsked = ['required', 'yes'].includes(process.env.LINTERS ?? '')

export type Lint = (linter: keyof typeof COMMANDS, args: readonly string[]) => Promise<unknown>

/** Installs the linters and writes `files` to `folder`. The result runs a linter there and returns its findings, the JSON it prints. */
export const lintersIn = async (folder: string, files: Readonly<Record<string, string>>): Promise<Lint> => {
  const home = await installed()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return async (linter, args) => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const path = join(home, 'node_modules', ...COMMANDS[linter])
    const options = { cwd: folder, env, timeout: LINT_MS_MAX, maxBuffer: BYTES_MAX }
    // They exit with 1 if they find something.
    const { stdout, stderr } = await run(process.execPath, [path, ...args], options).catch(
      (ended: { stdout: string; stderr: string }) => ended,
    )
    try {
      return JSON.parse(stdout)
    } catch (cause) {
      throw new Error(`${linter} printed no JSON: ${stdout.slice(0, 1_000)} ${stderr.slice(-1_000)}`, { cause })
    }
  }
}

const installed = async (): Promise<string> => {
  const versions = PACKAGES.map((name) => name.slice(name.lastIndexOf('@') + 1)).join('-')
  const home = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'mintfold', `linters-${versions}`)
  const isThere = await access(join(home, 'complete')).then(
    () => true,
    () => false,
  )
  if (isThere) return home
  await mkdir(home, { recursive: true })
  const asked = ['install', '--prefix', home, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES]
  await run('npm', asked, { cwd: home, timeout: INSTALL_MS_MAX, maxBuffer: BYTES_MAX })
  await writeFile(join(home, 'complete'), '')
  return home
}
