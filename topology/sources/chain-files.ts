// Files of recorded chain data, from disk.
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type ChainFile, FILE_BYTES_MAX, parseChainFile } from '../../processors/solana/chain-file.ts'
import { EngineError, type Parsed } from '../../schemas/errors.ts'

const unreadable = (path: string, message: string, cause?: unknown): EngineError =>
  new EngineError('file_unreadable', `${path} cannot be read: ${message}`, { facts: { path }, cause })

/** Reads and parses one file. Bad data for a file of another kind. @throws EngineError file_unreadable */
export const readChainFile = async (path: string): Promise<Parsed<ChainFile>> => {
  const bytes = await stat(path)
    .then(({ size }) => {
      if (size > FILE_BYTES_MAX) throw unreadable(path, `it has ${size} bytes, at most ${FILE_BYTES_MAX} are allowed`)
      return readFile(path)
    })
    .catch((cause) => {
      throw cause instanceof EngineError ? cause : unreadable(path, (cause as Error).message, cause)
    })
  return parseChainFile(bytes, basename(path))
}
