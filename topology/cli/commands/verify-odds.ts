// `mintfold verify-odds FILE`: runs the standalone verifier of logged odds in a separate process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { EngineError } from '../../../schemas/errors.ts'
import type { Io, Register } from '../command.ts'

const VERIFIER = fileURLToPath(new URL('../../../query-api/guides/verify_odds.mjs', import.meta.url))
const DONE = 0
const FAILED = 1

interface Options {
  readonly roots?: string
}

export const register: Register = (command, io) => {
  command
    .description(
      'Checks that logged odds are included in the Merkle roots of their hours, with query-api/guides/verify_odds.mjs. That file imports nothing from ' +
        'this project: copy it to check elsewhere. Prints a line per value; exit code 1 when one fails.',
    )
    .argument('<file>', 'responses of /v1/odds/proof as JSON: one, a list, or one per line')
    .option(
      '--roots <file>',
      'roots saved when they were published, as in data.ledger.newest of /v1/calibration (default: those in the file)',
    )
    .action((file: string, { roots }: Options) => verify([file, ...(roots === undefined ? [] : [roots])], io))
}

const verify = async (files: readonly string[], io: Io): Promise<void> => {
  const child = spawn(process.execPath, [VERIFIER, ...files], { stdio: ['inherit', 'pipe', 'pipe'], signal: io.stop })
  const ended = once(child, 'close')
  ended.catch(() => {})
  let errors = ''
  const errorsRead = (async () => {
    for await (const text of child.stderr.setEncoding('utf8')) errors += text
  })()
  for await (const bytes of child.stdout) await io.out(bytes as Buffer)
  await errorsRead
  const [code]: readonly unknown[] = await ended
  if (code === DONE) return
  if (code !== FAILED) throw new EngineError('file_unreadable', `the proofs cannot be read: ${errors.trim()}`)
  if (errors !== '') io.printNotice(errors.trim())
  io.setExitCode(FAILED)
}
