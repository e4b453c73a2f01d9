// How tests start programs of their own.
import { fileURLToPath } from 'node:url'

/** Runs the file of a program. */
export const RUNNER = fileURLToPath(new URL('./run.mjs', import.meta.url))

/** For node, where a program lives as long as a test: what it would compile for good took a fifth of the processor, and did not pay. */
export const SHORT: readonly string[] = process.env.JEST_WORKER_ID === undefined ? [] : ['--interrupt-budget=500000']

/** For node, before the file of a program. */
export const RUN: readonly string[] = [...SHORT, RUNNER]
