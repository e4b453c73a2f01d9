// Process of the scratch test: fills pages on disk in the data directory `argv[2]`, prints a line, and waits to be killed.
import { openScratchPages, SCRATCH_LIMITS } from '../../topology/data-dir/scratch-pages.ts'

const pages = openScratchPages(process.argv[2] as string, { ...SCRATCH_LIMITS, youngBytesMax: 0 }).open()
for (let n = 0; n < 100; n++) pages.put(`key ${n}`, 0, Buffer.alloc(1_000))
process.stdout.write('written\n')
setInterval(() => {}, 60_000)
