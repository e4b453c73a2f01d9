// Counts the rows of the mint store from its changelog.
import { readSchema } from '../../schemas/avro.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { MintState } from '../../schemas/types.ts'
import { stateTypeOf } from '../../topology/engine/rows/state-type.ts'
import type { Log } from '../../topology/ports/log.ts'
import { pause } from '../../topology/waiting/waiting.ts'
import { TOPICS } from '../fixtures/topics.ts'

/** Counts one mint in this many, in a tenth of the thread's time, so that the measurement does not disturb what it measures. */
const MINTS_PER_SAMPLE = 16
const SLICE_MS = 2
const SLICE_EVERY_MS = 20
const MINT_BYTES = 32
const READ = { recordsMax: 20, bytesMax: 256 * 1024 }

/** Size of the mint store on the log, estimated from a sample of the mints. */
export interface RowCount {
  readonly mints: number
  readonly rows: number
  readonly changelogBytes: number
}

/**
 * Reads the changelog in small slices; a mint's first byte decides whether it is in the sample. A mint that is written during the count
 * counts as it was last read.
 */
export const countRows = async (log: Log, stop: AbortSignal): Promise<RowCount> => {
  const state = stateTypeOf(readSchema('mint-state'))
  const pages = new Map<string, { readonly rows: number; readonly bytes: number }>()
  const count = (key: Uint8Array, value: Uint8Array | null): void => {
    const name = Buffer.from(key).toString('latin1')
    if (value === null) pages.delete(name)
    else pages.set(name, { rows: rowsIn(state.decode(value) as unknown as MintState), bytes: key.length + value.length })
  }
  let sliceAt = performance.now()
  for await (const { key, value } of recordsOf(log, TOPICS.mintChangelog)) {
    if ((key[0] ?? 0) % MINTS_PER_SAMPLE === 0) count(key, value)
    if (stop.aborted) break
    if (performance.now() - sliceAt < SLICE_MS) continue
    await pause(SLICE_EVERY_MS - SLICE_MS, stop)
    sliceAt = performance.now()
  }
  const mints = new Set([...pages.keys()].map((name) => name.slice(0, MINT_BYTES))).size
  const sums = [...pages.values()].reduce((sum, { rows, bytes }) => ({ rows: sum.rows + rows, bytes: sum.bytes + bytes }), {
    rows: 0,
    bytes: 0,
  })
  return { mints: mints * MINTS_PER_SAMPLE, rows: sums.rows * MINTS_PER_SAMPLE, changelogBytes: sums.bytes * MINTS_PER_SAMPLE }
}

const recordsOf = async function* (log: Log, topic: Topic) {
  for (let partition = 0; partition < log.partitions(topic); partition++)
    for (let offset = log.start(topic, partition); offset < log.end(topic, partition); ) {
      const records = await log.read(topic, partition, offset, READ)
      const last = records.at(-1)
      if (last === undefined) break
      yield* records
      offset = last.offset + 1
    }
}

const rowsIn = (state: MintState): number =>
  Object.values(state).reduce((sum: number, row: unknown) => sum + (Array.isArray(row) ? row.length : row === null ? 0 : 1), 0)
