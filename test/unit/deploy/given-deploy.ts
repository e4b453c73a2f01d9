// Files of deploy/: parsed, with checks of commands and settings that hold for containers of either kind.
import { readdirSync, readFileSync } from 'node:fs'
import { Command } from 'commander'
import { parseAllDocuments } from 'yaml'
import { main } from '../../../topology/cli/main.ts'
import { createIo } from '../../../topology/cli/output/io.ts'
import { type Env, listSettings, parseSettings, settingsWithoutApi, withoutApi } from '../../../topology/cli/settings/settings.ts'
import { LOG } from '../../../topology/cli/settings/source-name.ts'
import { IMAGE_ENV } from '../../tools/image-tree.ts'
import { ROOT } from '../../tools/project-files.ts'
import { fakeEdges } from '../cli/fake-edges.ts'

export const fileOf = (path: string): string => readFileSync(`${ROOT}deploy/${path}`, 'utf8')
/** Paths of files below a folder of deploy/, relative to deploy/. */
export const filesUnder = (folder: string): readonly string[] =>
  readdirSync(`${ROOT}deploy/${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(`${ROOT}deploy/`.length))
/** The documents of a YAML text, with anchors and merges resolved. @throws if one does not parse */
export const documentsOf = <Document>(text: string): readonly Document[] =>
  parseAllDocuments(text, { merge: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS() as Document
  })

const OURS = /^(?:MINTFOLD|X402|KAFKA|SCHEMA_REGISTRY|CLICKHOUSE|REDIS|SOLANA|ALT)_/
const KNOWN = new Set(listSettings({}).map(({ name }) => name))

/** Names of variables that are no settings. */
export const unknownSettings = (env: Env): readonly string[] => Object.keys(env).filter((name) => !KNOWN.has(name) || !OURS.test(name))
/** The settings that the program knows. */
export const knownSettings = (env: Env): Env => Object.fromEntries(Object.entries(env).filter(([name]) => KNOWN.has(name)))
/** Settings whose values belong into no file: logins, keys, and addresses in which providers put keys. */
export const isSecret = (name: string): boolean =>
  /PASSWORD$|TOKEN$|CURSOR_KEYS$|^REDIS_URL$|RPC_URL$|^(?:SOLANA|ALT)_\w+_URL$|^SOLANA_(?:WS|GRPC)_URL$/.test(name)

/** What an operator sets where the files leave a value open; also used for secrets. */
export const OPERATOR: Readonly<Record<string, string>> = {
  MINTFOLD_CURSOR_KEYS: 'k'.repeat(32),
  KAFKA_TLS: 'true',
  REDIS_URL: 'redis://:secret@redis:6379',
  SOLANA_RPC_URL: 'https://node.example',
  SOLANA_WS_URL: 'wss://node.example',
  SOLANA_GRPC_URL: 'https://node.example',
  SOLANA_CHECK_RPC_URL: 'https://other.example',
  ALT_RPC_URL: 'https://node.example',
  ALT_WS_URL: 'wss://node.example',
  ALT_CHECK_RPC_URL: 'https://other.example',
  X402_RPC_URL: 'https://node.example',
  X402_FACILITATOR_URL: 'https://facilitator.example',
  X402_PAY_TO: 'CT5fP5EA81kmgN3r5Z8z7zehov8CWGhqd79oatCgnr4C',
  MINTFOLD_BASE_URL: 'https://cards.example',
}

/** Parses a container's settings as its role does. @throws UsageError that names a wrong one */
export const parseFor = (role: string, source: string, given: Env): void => {
  const env = { ...IMAGE_ENV, ...knownSettings(given) }
  if (role === 'serve') parseSettings(env, { source: LOG })
  else if (role === 'capture') parseSettings(withoutApi(env), { source })
  else settingsWithoutApi(env)
}

/** The exit code and messages of parsing a command line, without running the command. */
export const parsedCommand = async (args: readonly string[]): Promise<{ readonly code: number; readonly stderr: string }> => {
  const { action } = Command.prototype
  const mocked = jest.spyOn(Command.prototype, 'action').mockImplementation(function (this: Command) {
    return action.call(this, () => {})
  })
  try {
    const edges = fakeEdges()
    return { code: await main(args, createIo(edges)), stderr: edges.written.stderr }
  } finally {
    mocked.mockRestore()
  }
}
export const PARSED = { code: 0, stderr: '' }
