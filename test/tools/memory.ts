// Memory that is held after a collection.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects twice: what a first collection finalizes, the second gives back. */
export const collect = (): void => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  gc()
}

/** Bytes of buffers that are held more than before when `make` is done; what it gives is kept until then. */
export const buffersHeldBy = <T>(make: () => T): { readonly made: T; readonly bytes: number } => {
  collect()
  const before = process.memoryUsage().arrayBuffers
  const made = make()
  collect()
  return { made, bytes: process.memoryUsage().arrayBuffers - before }
}
