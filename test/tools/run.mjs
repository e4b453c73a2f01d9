// Runs a TypeScript program as the bin runs the product: `node test/tools/run.mjs FILE [argument]...`.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load } from '../../topology/cli/load.mjs'

process.argv.splice(1, 1)
await load(pathToFileURL(resolve(process.argv[1] ?? '')))
