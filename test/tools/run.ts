// Arguments for node with which tests start their own programs.
import { fileURLToPath } from 'node:url'

/** Script that runs a TypeScript program. */
export const RUNNER = fileURLToPath(new URL('./run.mjs', import.meta.url))

const LATE_OPTIMIZATION =
  Number(process.versions.node.split('.')[0]) < 24 ? '--interrupt-budget=500000' : '--invocation-count-for-turbofan=20000'
/** Node flags for programs that live as long as a test: optimizing compilation took a fifth of the CPU time and did not pay off. */
export const SHORT: readonly string[] = process.env.JEST_WORKER_ID === undefined ? [] : [LATE_OPTIMIZATION]

/** Arguments for node, before the program's file. */
export const RUN: readonly string[] = [...SHORT, RUNNER]
