// What Node is told when the product starts: processes that stand for it are told the same.
import { readFileSync } from 'node:fs'

const BIN = new URL('../../topology/cli/mintfold.mjs', import.meta.url)

/** As the first line of the bin has them. */
export const NODE_FLAGS: readonly string[] = readFileSync(BIN, 'utf8').split('\n', 1)[0]?.match(/--\S+/g) ?? []
