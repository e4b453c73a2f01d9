#!/usr/bin/env -S node --max-semi-space-size=64 --v8-pool-size=0 --heap-growing-percent=100 --no-allocation-site-pretenuring --
// The bin. New objects of the folds live as long as a frame: room for some frames (MB) spares most of the collector's work, a tenth of all
// CPU at ten times today's load. As many helpers of the engine as there are processors beside the main thread's, not four on every machine:
// on two processors four of them kept the main thread waiting (a share of .10 of the time instead of .18). A full collection once the heap
// has grown by so many percent of what was left by the last: left to itself, the engine begins one a second in a thread that does little
// (at ten times today's load 15 % of a processor). No object begins as an old one: while stores are read at the start, the engine learns
// which places of the code make what lives long, and lets them make it old from then on. Of a request such an object held all that came
// after it until the next full collection: a tenth of what requests allocate lived on, and a collection took 15 ms instead of 3. The folds,
// too, do a tenth more without.
// The last `--` keeps Node from reading our --env-file as its own: it ends with 9 where that file cannot be read.
import { load } from './load.mjs'

const { main, reportFailure } = await load(new URL('./main.ts', import.meta.url)).catch((failure) => {
  // The system's refusal in words; anything else is a bug.
  if (failure.cause?.code === undefined) throw failure
  process.stderr.write(`mintfold: ${failure.message}\n`)
  process.exit(3)
})
process.on('uncaughtException', (error) => process.exit(reportFailure(error)))
process.exit(await main(process.argv.slice(2)))
