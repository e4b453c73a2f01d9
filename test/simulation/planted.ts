// Faults planted on purpose, as changes of code; `npm run soak -- planted` measures how soon each is found.
import { type Change, changedText } from '../tools/change.ts'
import { SIMULATED } from './planted/simulated.ts'
import { TESTED_FOLDS } from './planted/tested-folds.ts'
import { TESTED_OTHERS } from './planted/tested-others.ts'

export interface Planted {
  readonly name: string
  /** Description of the fault. */
  readonly what: string
  /** Paths of tests that find it; absent: the simulation does. */
  readonly suites?: readonly string[]
  readonly changes: readonly Change[]
}

export const PLANTED: readonly Planted[] = [...SIMULATED, ...TESTED_FOLDS, ...TESTED_OTHERS]

/** The changed files by path. @throws if a change no longer applies */
export const plantedFiles = ({ name, changes }: Planted, read: (path: string) => string): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const change of changes) {
    const text = files.get(change.file) ?? read(change.file)
    try {
      files.set(change.file, changedText(text, change))
    } catch (cause) {
      throw new Error(`${name} no longer applies to ${change.file}, plant the fault again: ${(cause as Error).message}`, { cause })
    }
  }
  return files
}
