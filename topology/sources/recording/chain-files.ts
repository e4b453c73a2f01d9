// Reads files of recorded chain data.
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ChainDefinition, ChainFiles, RecordedFile } from '../../../processors/chains/chain.ts'
import { escapeHidden } from '../../../processors/text.ts'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import type { Chain } from '../../../schemas/types.ts'
import { MAGIC } from './container-reader.ts'
import { unreadable } from './unreadable.ts'
import { unpackZstd } from './zstd.ts'

/** A parsed file, with the functions of its chain. */
export interface OpenFile extends Pick<ChainFiles, 'lines' | 'frames'> {
  readonly chain: Chain
  readonly file: RecordedFile
}

/** Records of the files that cannot be used, in the words of `decode`. */
export const problemsOf = (files: readonly OpenFile[]): string[] =>
  files
    .flatMap(({ file }) => file.blocks.flatMap(({ errors }) => errors))
    .map(({ index, reason }) => `skipped: ${index === null ? '' : `transaction ${index}: `}${escapeHidden(reason)}`)

/**
 * Reads a file and parses it with the first chain that recognizes it. Returns bad data for a file of another kind.
 * @throws EngineError `file_unreadable`
 */
export const readChainFile = async (
  path: string,
  chains: readonly Pick<ChainDefinition, 'name' | 'files'>[],
): Promise<Parsed<OpenFile>> => {
  const bytes = await bytesOf(path, Math.min(...chains.map(({ files }) => files.bytesMax)))
  if (bytes.subarray(0, MAGIC.length).equals(MAGIC))
    return bad('bad_encoding', `${path} is a recording or another Avro file: mintfold replay reads recordings`)
  const unpacked = await unpackZstd(bytes, path)
  if (!unpacked.ok) return unpacked
  const name = basename(path)
  const reasons = new Set<string>()
  for (const { name: chain, files } of chains) {
    const { lines, frames } = files
    const parsed = files.parse(unpacked.value, name)
    if (parsed.ok) return good({ chain, file: parsed.value, lines, frames })
    reasons.add(parsed.reason.replace(name, path))
  }
  return bad('bad_encoding', [...reasons].join('; '))
}

/** @throws EngineError `file_unreadable` */
const bytesOf = async (path: string, bytesMax: number): Promise<Buffer> => {
  try {
    const { size } = await stat(path)
    if (size > bytesMax) throw new Error(`it has ${size} bytes, at most ${bytesMax} are allowed`)
    return await readFile(path)
  } catch (cause) {
    throw unreadable(path, cause)
  }
}
