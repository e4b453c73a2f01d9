// Checks the types of a detector's files with the TypeScript compiler, if it is installed.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../../schemas/errors.ts'
import { KIT } from './bundle.ts'

const CHECK_MS_MAX = 60_000
const OUTPUT_BYTES_MAX = 4_194_304
const KIT_FILE = fileURLToPath(new URL('../../../processors/detector-kit/detector.ts', import.meta.url))
/** Folders of the kit's own files, whose types mintfold's build checks with other options. */
const OUR_FOLDERS = ['processors', 'schemas'].map((folder) => fileURLToPath(new URL(`../../../${folder}/`, import.meta.url)))

/** Path of the compiler; undefined if it is not installed. */
const compiler = (): string | undefined => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  } catch {
    return undefined
  }
}

/**
 * True if types were checked; false if there is no compiler (a development dependency), it does not start, or `stop` fires.
 * @throws UsageError with all compiler messages about the detector's files, each with its line
 */
export const checkTypes = async (entry: string, tsc = compiler(), stop?: AbortSignal): Promise<boolean> => {
  if (tsc === undefined) return false
  const folder = mkdtempSync(join(tmpdir(), 'mintfold-types-'))
  try {
    const project = join(folder, 'tsconfig.json')
    writeFileSync(project, JSON.stringify(projectOf(entry)))
    const output = await compile(tsc, ['-p', project, '--pretty', 'false'], dirname(entry), stop)
    if (output === undefined) return false
    const messages = messagesIn(output, dirname(entry))
    if (messages.length > 0) throw new UsageError(messages.join('\n'))
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const projectOf = (entry: string) => ({
  compilerOptions: {
    ...{ target: 'ES2023', lib: ['ES2023'], module: 'ESNext', moduleResolution: 'bundler', types: [] },
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, isolatedModules: true },
    paths: { [KIT]: [KIT_FILE] },
  },
  files: [entry],
})

/** The compiler's output; undefined if it does not start, or is stopped. @throws UsageError if it takes too long */
const compile = (tsc: string, args: readonly string[], cwd: string, stop?: AbortSignal): Promise<string | undefined> =>
  new Promise((done, failed) => {
    const options = { cwd, timeout: CHECK_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX, ...(stop === undefined ? {} : { signal: stop }) }
    execFile(process.execPath, [tsc, ...args], options, (failure, stdout) => {
      if (stop?.aborted === true) done(undefined)
      else if (failure?.killed === true)
        failed(
          new UsageError(`the type check of the detector took more than ${CHECK_MS_MAX} ms: run it again when the machine is less busy`),
        )
      else done(failure !== null && stdout === '' ? undefined : stdout)
    })
  })

const COMPILER_MESSAGE = /^(.+?)\((\d+),(\d+)\): (.*)$/

/** Messages about the user's files; indented lines after a message belong to it. */
const messagesIn = (output: string, cwd: string): string[] => {
  const messages: string[] = []
  let isOfDetector = false
  for (const line of output.split('\n')) {
    const [, file = '', row, column, text] = COMPILER_MESSAGE.exec(line) ?? []
    if (text !== undefined) {
      const path = resolve(cwd, file)
      isOfDetector = !OUR_FOLDERS.some((folder) => path.startsWith(folder))
      if (isOfDetector) messages.push(`${path}:${row}:${column}: ${text}`)
    } else if (isOfDetector && /^\s+\S/.test(line)) messages.push(line)
  }
  return messages
}
