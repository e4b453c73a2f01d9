// Bundles the program and its threads ahead of the first start: a container image has no bundler, and its files are read-only.
// Arguments: paths of further programs to bundle in the same pass.
import { bundleAll } from './load.mjs'

await bundleAll(process.argv.slice(2))
