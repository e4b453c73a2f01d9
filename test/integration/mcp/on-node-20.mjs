// The conformance suite imports `globSync` of node:fs, which Node has from 22 on, for a command that no test runs. With this module
// preloaded (--import) the suite runs on Node 20 too.
import { register } from 'node:module'

const hooks = `
export const load = async (url, context, next) => {
  const loaded = await next(url, context)
  if (!url.endsWith('/conformance/dist/index.js')) return loaded
  return { ...loaded, source: String(loaded.source).replace(/\\bglobSync as (\\w+),/, (_all, name) => 'existsSync as ' + name + ',') }
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
