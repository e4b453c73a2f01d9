// Runs command lines of the product in one process, one after the other, each as the bin runs one: a JSON list of `{ argv, env }` on stdin,
// a list of `{ code, out, stderr }` on stdout. For commands that end by themselves.
import { text } from 'node:stream/consumers'
import { load } from '../../topology/cli/load.mjs'

const { main } = await load(new URL('../../topology/cli/main.ts', import.meta.url))
const print = process.stdout.write.bind(process.stdout)
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)

const ended = []
for (const { argv, env } of JSON.parse(await text(process.stdin))) {
  const ran = { code: -1, out: '', stderr: '' }
  /** @param {'out' | 'stderr'} name @returns {any} */
  const collect = (name) => (/** @type {unknown} */ part, /** @type {(() => void) | undefined} */ done) => {
    ran[name] += part
    done?.()
    return true
  }
  process.stdout.write = collect('out')
  process.stderr.write = collect('stderr')
  process.env = env
  ran.code = await main(argv)
  ended.push(ran)
}
print(JSON.stringify(ended), () => process.exit(0))
