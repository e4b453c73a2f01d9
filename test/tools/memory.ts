// Measures memory that is retained after a garbage collection.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects twice: the second collection frees what the first one finalizes. */
export const collect = (): void => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  gc()
}

/** Growth of buffers in bytes while the result of `make` is retained. */
export const buffersHeldBy = <T>(make: () => T): { readonly made: T; readonly bytes: number } => {
  collect()
  const before = process.memoryUsage().arrayBuffers
  const made = make()
  collect()
  return { made, bytes: process.memoryUsage().arrayBuffers - before }
}
