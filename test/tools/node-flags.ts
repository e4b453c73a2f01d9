// Node flags of the product, for test processes that stand in for it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const BIN = new URL('../../topology/cli/mintfold.mjs', import.meta.url)

/** The flags in the first line of the bin. */
export const NODE_FLAGS: readonly string[] = readFileSync(BIN, 'utf8').split('\n', 1)[0]?.match(/--\S+/g) ?? []

/** Script that runs a TypeScript program as the product runs itself; append the program's file and arguments. */
export const BUNDLED = fileURLToPath(new URL('./bundled.mjs', import.meta.url))
