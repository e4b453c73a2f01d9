// Runs a program of TypeScript as the product runs itself, in one bundle: tsx, which translates single files, gives each function its name
// whenever it is made, and a request makes several. Arguments: its file, then its own.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load } from '../../topology/cli/load.mjs'

process.argv.splice(1, 1)
await load(pathToFileURL(resolve(process.argv[1])))
