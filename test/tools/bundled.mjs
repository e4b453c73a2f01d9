// Runs a program of TypeScript as the product runs itself, in one bundle: what translates single files for tests gives each function that
// is made its name, and a request makes a dozen. Arguments: its file, then its own.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load } from '../../topology/cli/load.mjs'

process.argv.splice(1, 1)
await load(pathToFileURL(resolve(process.argv[1])))
