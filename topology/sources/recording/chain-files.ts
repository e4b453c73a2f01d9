// Files of recorded chain data, from disk.
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ChainFiles, RecordedFile } from '../../../processors/chains/chain.ts'
import { bad, EngineError, type Parsed } from '../../../schemas/errors.ts'
import { MAGIC } from './container-reader.ts'
import { unreadable } from './unreadable.ts'

/** Reads and parses one file. Bad data for a file of another kind. @throws EngineError file_unreadable */
export const readChainFile = async (path: string, { bytesMax, parse }: ChainFiles): Promise<Parsed<RecordedFile>> => {
  const bytes = await stat(path)
    .then(({ size }) => {
      if (size > bytesMax) throw unreadable(path, new Error(`it has ${size} bytes, at most ${bytesMax} are allowed`))
      return readFile(path)
    })
    .catch((cause) => {
      throw cause instanceof EngineError ? cause : unreadable(path, cause)
    })
  if (bytes.subarray(0, MAGIC.length).equals(MAGIC))
    return bad('bad_encoding', `${path} is a recording or another Avro file: mintfold replay reads recordings`)
  const name = basename(path)
  const parsed = parse(bytes, name)
  return parsed.ok ? parsed : { ...parsed, reason: parsed.reason.replace(name, path) }
}
