// The file tree of the container image, made by the rules of deploy/Dockerfile without Docker: the files it copies, the packages it keeps,
// the bundles it makes, and no write permission.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './project-files.ts'
import { removeDirectory } from './remove-directory.ts'

const run = promisify(execFile)

/** The instructions of the Dockerfile, continued lines joined. */
const instructions = readFileSync(`${ROOT}deploy/Dockerfile`, 'utf8')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
const wordsOf = (instruction: string): readonly string[][] =>
  instructions.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.split(/\s+/).slice(1))

/** Paths that the Dockerfile copies from the checkout, relative to both trees. */
export const COPIED: readonly string[] = wordsOf('COPY')
  .filter(([first = '']) => !first.startsWith('--'))
  .flatMap((words) => words.slice(0, -1))
/** Names of packages, or of scopes, that the Dockerfile removes. */
export const REMOVED: readonly string[] = instructions.flatMap((line) =>
  [...line.matchAll(/ node_modules\/([^\s&]+)/g)].map(([, name = '']) => name),
)
/** The words of an instruction in the exec form, of which the last one counts. */
export const execForm = (instruction: 'ENTRYPOINT' | 'CMD'): readonly string[] => {
  const line = instructions.filter((one) => one.startsWith(`${instruction} `)).at(-1) ?? ''
  return JSON.parse(line.slice(instruction.length)) as string[]
}
/** Variables that the image sets. */
export const IMAGE_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  wordsOf('ENV').flatMap((words) => words.map((word) => word.split('=') as [string, string])),
)

const OTHER_USER = 65_534
/** User of the processes, who as in the image does not own the files. Null: not run as root, or packages are out of reach. */
const otherUser = async (): Promise<number | null> => {
  if (process.getuid?.() !== 0) return null
  const manifest = join(realpathSync(`${ROOT}node_modules`), 'koa', 'package.json')
  const probe = `require('node:fs').readFileSync(${JSON.stringify(manifest)})`
  return run(process.execPath, ['-e', probe], { uid: OTHER_USER, cwd: '/' }).then(
    () => OTHER_USER,
    () => null,
  )
}

export interface ImageTree {
  readonly dir: string
  /** A new folder that every user may write to. */
  volume(name: string): string
  /** For `spawn`: the user, if it may differ from the owner of the files. */
  readonly user: { readonly uid?: number }
  /** Every path below, with the time of its last change. */
  listing(): readonly string[]
  remove(): void
}

export const givenImageTree = async (): Promise<ImageTree> => {
  // The folder of temporary files of a jest run is closed to other users.
  const root = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'mintfold-image-'))
  chmodSync(root, 0o755)
  const dir = join(root, 'app')
  for (const path of COPIED) cpSync(join(ROOT, path), join(dir, path), { recursive: true })
  linkPackages(dir)
  await run(process.execPath, ['topology/cli/bundle-all.mjs'], { cwd: dir })
  for (const name of REMOVED) rmSync(join(dir, 'node_modules', name), { recursive: true, force: true })
  for (const path of ['', ...ownPaths(dir)]) chmodSync(join(dir, path), 0o555)
  const uid = await otherUser()
  return {
    dir,
    volume: (name) => {
      const path = join(root, name)
      mkdirSync(path)
      chmodSync(path, 0o777)
      return path
    },
    user: uid === null ? {} : { uid },
    listing: () => ownPaths(dir).map((path) => `${path} ${statSync(join(dir, path)).mtimeMs}`),
    remove: () => {
      for (const path of ['', ...ownPaths(dir)]) chmodSync(join(dir, path), 0o755)
      removeDirectory(root)
    },
  }
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

/** Links the packages that `npm ci --omit=dev` installs. */
const linkPackages = (dir: string): void => {
  const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as Lock
  for (const [path, { dev = false }] of Object.entries(packages)) {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
    if (name === undefined || dev || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    symlinkSync(realpathSync(join(ROOT, path)), join(dir, path))
  }
}

/** Paths of files and folders, without links. */
const ownPaths = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort()
