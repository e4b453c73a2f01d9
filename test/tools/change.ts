// Changes of code by its text, for faults planted on purpose: they follow the code, whatever line it is on.
import { Script } from 'node:vm'
import { transformSync } from '@swc/core'

/** Replaces `find`, which occurs exactly once in `file`, by `put`. */
export interface Change {
  readonly file: string
  readonly find: string
  readonly put: string
}

/** @throws unless the text contains `find` exactly once, and loads with `put` in its place: otherwise every test that imports it fails */
export const changedText = (text: string, { file, find, put }: Change): string => {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`the file must contain this once, but contains it ${parts.length - 1} times: ${find}`)
  const changed = parts.join(put)
  try {
    if (file.endsWith('.ts')) load(changed)
  } catch (cause) {
    throw new Error(`the file does not load with this line: ${put}: ${String(cause)}`, { cause })
  }
  return changed
}

/** Compiles TypeScript as jest does, without running it. V8 refuses private members that their class does not declare. */
const load = (text: string): void => {
  const { code } = transformSync(text, { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } })
  new Script(code)
}
