// `mintfold decode FILE...`: prints the decoded events as JSON lines. Keeps no state.
import { escapeHidden } from '../../../../processors/text.ts'
import type { Parsed } from '../../../../schemas/errors.ts'
import { TOPOLOGIES } from '../../../launch-risk.ts'
import { type OpenFile, readChainFile } from '../../../sources/recording/chain-files.ts'
import { type Io, type Register, UsageError } from '../../command.ts'

export const FORMATS_HINT = ' mintfold decode --help lists the supported formats.'
/** Output buffer size in characters: one write for many lines. */
const WRITE_CHARS = 64 * 1024

/** Reads chain data of any supported chain. Returns bad data for a file of another kind. @throws EngineError `file_unreadable` */
export const readFileOfChain = (path: string): Promise<Parsed<OpenFile>> =>
  readChainFile(
    path,
    TOPOLOGIES.map(({ chain }) => chain),
  )

/** As `readFileOfChain`. @throws UsageError for a file of another kind, EngineError `file_unreadable` */
export const openChainFile = async (path: string): Promise<OpenFile> => {
  const open = await readFileOfChain(path)
  if (!open.ok) throw new UsageError(`${open.reason}.${FORMATS_HINT}`)
  return open.value
}

interface Counts {
  events: number
  errors: number
}

const writeLines = async ({ file, lines }: OpenFile, io: Io, counts: Counts): Promise<void> => {
  let text = ''
  for (const line of lines(file)) {
    if ('error' in line) counts.errors++
    else counts.events++
    text += `${escapeHidden(JSON.stringify(line))}\n`
    if (text.length < WRITE_CHARS) continue
    if (io.stop.aborted) return
    await io.out(text)
    text = ''
  }
  if (text !== '') await io.out(text)
}

const run = async (paths: readonly string[], io: Io): Promise<void> => {
  // All files are checked before the first line is written, so that a wrong file causes no partial output.
  if (paths.length > 1) for (const path of paths) await openChainFile(path)
  const counts = { events: 0, errors: 0 }
  for (const path of paths) {
    if (io.stop.aborted) return
    const open = await openChainFile(path)
    for (const note of open.file.notes) io.printNotice(note)
    await writeLines(open, io, counts)
  }
  io.printNotice(`${counts.events} events, ${counts.errors} records that could not be decoded, ${paths.length} files`)
}

export const register: Register = (command, io) => {
  command
    .description(
      'Prints every event of the launchpad in the files, with the field names of its programs. Reads transactions and blocks as getTransaction, ' +
        'getBlock, blockSubscribe, getTransactionsForAddress and transactionSubscribe return them (json, jsonParsed, base64, base58), as web3.js and ' +
        'clients of Yellowstone gRPC print them, or as stored (ConfirmedBlock protobuf); JSON lines with program and data_base64; logs, ' +
        'receipts and blocks of an Ethereum node, also as eth_subscribe, block explorers, ethers and viem write them. Records may be bare, in JSON-RPC ' +
        'envelopes, batches, lists or lines; files UTF-8 or UTF-16, plain, gzip or zstd. A record that cannot be read is a line with its error and its ' +
        'place in the file; a file without any record is refused (exit code 2).',
    )
    .argument('<file...>', 'files of chain data')
    .action((files: string[]) => run(files, io))
}
