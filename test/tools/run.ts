// How tests start programs of their own.
import { fileURLToPath } from 'node:url'

/** For node, before the file of a program. */
export const RUN = fileURLToPath(new URL('./run.mjs', import.meta.url))
