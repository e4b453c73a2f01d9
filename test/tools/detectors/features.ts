// Hashes the features of the odds models like a detector: their code and the project's code it uses.
import { fileURLToPath } from 'node:url'
import { hashOf } from './code-hash.ts'

const FOLDER = fileURLToPath(new URL('../../../processors/odds', import.meta.url))
export const FEATURES_HASH_FILE = `${FOLDER}/features-hash.ts`

export const featuresHash = (): Promise<string> => hashOf({ file: `${FOLDER}/features.ts`, name: 'featuresOf' })
