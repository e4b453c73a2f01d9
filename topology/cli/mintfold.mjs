#!/usr/bin/env -S node --max-semi-space-size=64 --v8-pool-size=0 --heap-growing-percent=100 --no-allocation-site-pretenuring --
// The bin. The reasons for its Node options:
// - max-semi-space-size (MB): new objects of the folds live about one frame; room for several frames saves most of the collector's work,
//   10 % of all CPU at ten times today's load.
// - v8-pool-size=0: as many V8 helper threads as processors besides the main thread's, not always four: with two processors, four helpers
//   delayed the main thread (0.18 instead of 0.10 of the time).
// - heap-growing-percent: a full collection starts once the heap has grown by this percentage since the last one. By default V8 starts one
//   a second in a thread with little work (at ten times today's load 15 % of a processor).
// - no-allocation-site-pretenuring: no object is allocated in the old generation. Otherwise V8 learns, while stores are read at the start,
//   which allocation sites make long-lived objects. When requests allocated such objects, each kept everything allocated after it until
//   the next full collection: 10 % of what requests allocate survived, and a collection took 15 ms instead of 3. The folds, too, are
//   10 % faster without pretenuring.
// - the last `--` keeps Node from reading our --env-file as its own: Node exits with 9 if it cannot read that file.
import { load } from './load.mjs'

const { main, reportFailure } = await load(new URL('./main.ts', import.meta.url)).catch((failure) => {
  // A system error (with a code) is printed as text; anything else is a bug.
  if (failure.cause?.code === undefined) throw failure
  process.stderr.write(`mintfold: ${failure.message}\n`)
  process.exit(3)
})
process.on('uncaughtException', (error) => process.exit(reportFailure(error)))
process.exit(await main(process.argv.slice(2)))
