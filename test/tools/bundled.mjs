// Runs a TypeScript program as the product runs itself, as one bundle: tsx, which compiles single files, sets the name of each function
// whenever it is created, and a request creates several. Arguments: the program's file, then its arguments.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load } from '../../topology/cli/load.mjs'

process.argv.splice(1, 1)
await load(pathToFileURL(resolve(process.argv[1])))
