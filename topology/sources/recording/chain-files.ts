// Files of recorded chain data, from disk.
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type ChainFile, FILE_BYTES_MAX, parseChainFile } from '../../../processors/chains/solana/chain-file.ts'
import { bad, EngineError, type Parsed } from '../../../schemas/errors.ts'
import { unreadable } from './unreadable.ts'

/** How an Avro object container begins. */
const AVRO = Buffer.from('Obj\x01', 'latin1')

/** Reads and parses one file. Bad data for a file of another kind. @throws EngineError file_unreadable */
export const readChainFile = async (path: string): Promise<Parsed<ChainFile>> => {
  const bytes = await stat(path)
    .then(({ size }) => {
      if (size > FILE_BYTES_MAX) throw unreadable(path, new Error(`it has ${size} bytes, at most ${FILE_BYTES_MAX} are allowed`))
      return readFile(path)
    })
    .catch((cause) => {
      throw cause instanceof EngineError ? cause : unreadable(path, cause)
    })
  if (bytes.subarray(0, AVRO.length).equals(AVRO))
    return bad('bad_encoding', `${path} is a recording or another Avro file: mintfold replay reads recordings`)
  const name = basename(path)
  const parsed = parseChainFile(bytes, name)
  return parsed.ok ? parsed : { ...parsed, reason: parsed.reason.replace(name, path) }
}
