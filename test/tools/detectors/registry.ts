// The expected registry of detectors: one hash per version of each detector; published hashes never change.
import { fileURLToPath } from 'node:url'
import type { Hashes } from '../../../processors/mint/detectors/set.ts'
import { type Exported, exportedIn, hashOf } from './code-hash.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Folders of detectors, each with its `hashes.ts`. */
export const FOLDERS = ['processors/mint/detectors', 'processors/curve/detectors'] as const
type Folder = (typeof FOLDERS)[number]

export const detectorsIn = (folder: Folder): Promise<readonly Exported[]> => exportedIn(`${ROOT}/${folder}`)
export const fileOf = (folder: Folder): string => `${ROOT}/${folder}/hashes.ts`
export const registeredIn = async (folder: Folder): Promise<Hashes> => ((await import(fileOf(folder))) as { HASHES: Hashes }).HASHES

/** Messages for an edited detector that keeps its version, and for a version that is not registered or skips a number. */
export const faultsOf = ({ id, version }: Exported['detector'], hash: string, registered: Hashes): readonly string[] => {
  const known = registered[id] ?? []
  const registeredHash = known[version - 1]
  if (registeredHash === hash) return []
  if (registeredHash !== undefined)
    return [`${id}: its code or a constant of it changed; raise its version to ${known.length + 1}, then npm run detectors`]
  if (version === known.length + 1) return [`${id}: version ${version} is not registered; npm run detectors`]
  return [`${id}: version ${version} does not follow ${known.length}, the newest that is registered`]
}

/** The registry with all new versions added. @throws Error for an edited detector that keeps its version */
export const registryOf = async (exported: readonly Exported[], registered: Hashes): Promise<Hashes> => {
  const next: Record<string, readonly string[]> = { ...registered }
  for (const one of exported) {
    const { id, version } = one.detector
    const [hash, known] = [await hashOf(one), registered[id] ?? []]
    if (version === known.length + 1) next[id] = [...known, hash]
    const [fault] = faultsOf(one.detector, hash, next)
    if (fault !== undefined) throw new Error(fault)
  }
  return next
}
