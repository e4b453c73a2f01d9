// `mintfold export --tape`: tape files as day files, without tables.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Chain } from '../../../../schemas/types.ts'
import { topologyOf } from '../../../launch-risk.ts'
import { chainEntry, finishExport } from '../../../operations/export/finish.ts'
import type { Cut } from '../../../operations/export/history-times.ts'
import type { Manifest } from '../../../operations/export/manifest.ts'
import { tapeSchema } from '../../../operations/export/schema-files.ts'
import type { Batch } from '../../../operations/export/tape/canonical-tape.ts'
import { exportTapeDays } from '../../../operations/export/tape/tape-days.ts'
import { readTape } from '../../../sources/recording/tape-file.ts'
import { unreadable } from '../../../sources/recording/unreadable.ts'
import { UsageError } from '../../command.ts'
import { replayOf, tapeFileOf } from '../recordings/replay-file.ts'
import { type ExportRun, nothingToExport } from './export-run.ts'

/** Undefined if it was stopped. @throws UsageError for files that are not tapes, EngineError as `readTape` */
export const exportTapes = async (paths: readonly string[], run: ExportRun): Promise<Manifest | undefined> => {
  const byChain = new Map<Chain, string[]>()
  for (const path of paths) {
    const tape = await tapeFileOf(path)
    if (tape === undefined) throw new UsageError(`${path} is not a tape file: mintfold replay --tape-out and import write tape files`)
    byChain.set(tape.chain, [...(byChain.get(tape.chain) ?? []), path])
  }
  const cuts = async (): Promise<Record<string, Cut | null>> => {
    const ends: Record<string, Cut | null> = {}
    for (const [chain, files] of byChain) ends[chain] = await endOf(framesOf(chain, files))
    if (Object.values(ends).every((end) => end === null)) nothingToExport('the tape files have no frames')
    return ends
  }
  const out = await run.open(`tape ${await contentOf(paths)}`, cuts)
  const chains = []
  const schemas = []
  for (const [chain, files] of byChain) {
    const cut = out.cuts[chain] ?? null
    if (cut === null) continue
    const { days: range, io, progress } = run
    const frames = framesOf(chain, files)
    const isDone = await exportTapeDays({ chain, codec: replayOf(chain).codec, frames, out, cut, range, progress, stop: io.stop })
    if (!isDone) return undefined
    const topology = topologyOf(chain)
    chains.push(chainEntry(topology, cut))
    schemas.push(tapeSchema(chain, topology.chain.tape.schema))
  }
  return finishExport({ out, version: run.version, range: run.range, chains, schemas })
}

/** In the order of the chain. @throws UsageError if the files are not in that order */
async function* framesOf(chain: Chain, files: readonly string[]): AsyncGenerator<Batch> {
  let last = -1
  for (const file of files)
    for await (const batch of readTape(file, replayOf(chain).codec)) {
      if (batch.number <= last)
        throw new UsageError(`${file} has frame ${batch.number} after frame ${last}: give each tape file once, oldest first`)
      last = batch.number
      yield batch
    }
}

const endOf = async (frames: AsyncIterable<Batch>): Promise<Cut | null> => {
  let end: Cut | null = null
  for await (const { number, time } of frames) end = { number, time }
  return end
}

const contentOf = async (paths: readonly string[]): Promise<string> => {
  const hash = createHash('sha256')
  for (const path of paths) {
    try {
      for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer)
    } catch (cause) {
      throw unreadable(path, cause)
    }
  }
  return hash.digest('hex')
}
