// Checks a directory of day files before it is used: the export is complete, and every file matches the manifest.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { type FileEntry, FORMAT, MANIFEST, type Manifest, manifestSchema, UNFINISHED } from './manifest.ts'

export interface CheckedDirectory {
  readonly dir: string
  readonly manifest: Manifest
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
const refused = (reason: string): ReturnType<typeof bad> => bad('bad_encoding', reason)

/** Reads the manifest only. Bad data if the directory has none, is an unfinished export, or was written by a newer program. */
export const readManifest = async (dir: string): Promise<Parsed<CheckedDirectory>> => {
  const path = join(dir, MANIFEST)
  if (!(await isThere(path))) {
    const isUnfinished = await isThere(join(dir, UNFINISHED))
    return refused(
      isUnfinished
        ? `${dir} is an unfinished export: run the same mintfold export command again to resume it`
        : `${dir} is a directory without ${MANIFEST}: name one that mintfold export wrote, or the files in it`,
    )
  }
  let json: unknown
  try {
    json = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    return refused(`${path} cannot be read as JSON: ${(cause as Error).message}`)
  }
  const format = (json as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format > FORMAT)
    return refused(`${path} has format ${format}, but this version reads format ${FORMAT}: update mintfold`)
  const parsed = manifestSchema.safeParse(json)
  if (parsed.success) return good({ dir, manifest: parsed.data })
  const [issue] = parsed.error.issues
  return refused(`${path} is not a manifest of this format: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** Checks the size and SHA-256 of each file. `seen` is called with the size of each chunk read. */
export const checkFiles = async (
  { dir, manifest }: CheckedDirectory,
  seen: (bytes: number) => void,
  stop: AbortSignal,
): Promise<Parsed<CheckedDirectory>> => {
  for (const file of [...manifest.files, ...manifest.schemas]) {
    if (stop.aborted) break
    const reason = await faultOf(dir, file, seen)
    if (reason !== undefined) return refused(reason)
  }
  return good({ dir, manifest })
}

const faultOf = async (
  dir: string,
  file: Pick<FileEntry, 'path' | 'sha256'> & { readonly bytes?: number },
  seen: (bytes: number) => void,
): Promise<string | undefined> => {
  const path = join(dir, file.path)
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  )
  if (size === undefined) return `${path} is missing: the manifest lists it. Copy it again.`
  if (file.bytes !== undefined && size !== file.bytes)
    return `${path} is truncated or damaged: it has ${size} bytes, but the manifest lists ${file.bytes}. Copy it again.`
  const hash = createHash('sha256')
  try {
    for await (const bytes of createReadStream(path)) {
      hash.update(bytes as Buffer)
      seen((bytes as Buffer).length)
    }
  } catch (cause) {
    return `${path} cannot be read: ${(cause as Error).message}`
  }
  return hash.digest('hex') === file.sha256
    ? undefined
    : `${path} does not have the SHA-256 of the manifest: it was changed. Copy it again.`
}
