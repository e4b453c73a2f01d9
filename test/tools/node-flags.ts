// What Node is told when the product starts: processes that stand for it are told the same.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const BIN = new URL('../../topology/cli/mintfold.mjs', import.meta.url)

/** As the first line of the bin has them. */
export const NODE_FLAGS: readonly string[] = readFileSync(BIN, 'utf8').split('\n', 1)[0]?.match(/--\S+/g) ?? []

/** Runs a program of TypeScript as the product runs itself: its file and its arguments come behind this. */
export const BUNDLED = fileURLToPath(new URL('./bundled.mjs', import.meta.url))
