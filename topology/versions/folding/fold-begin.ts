// Where the folds of a rebuild start: without rows if the tape still has its first frame, else from a copy of the rows, else (no copy)
// without rows at the first frame left on the tape.

import type { FramePlace } from '../../../processors/contract.ts'
import { asBuffer } from '../../../schemas/bytes.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { PageRecord } from '../../engine/rows/aggregate.ts'
import { taskState } from '../../engine/rows/own-rows.ts'
import { pageKey } from '../../engine/rows/state-type.ts'
import type { Log } from '../../ports/log.ts'
import type { Topology } from '../../topology.ts'
import { Chunks } from '../chunks.ts'
import { type CorrectedTape, placeOf } from '../decoding/corrected-tape.ts'
import { isUndoKey } from '../rebuild/install.ts'
import { type Base, basesOf, offsetIn, type Pages, pagesOf } from './bases-of.ts'
import { seedExchange } from './exchange-state.ts'
import type { Making } from './making.ts'
import { migratorOf, type RowReader } from './migrate.ts'

/** Where each task began. */
export interface Beginning {
  readonly first: FramePlace
  readonly starts: readonly { readonly place: number; readonly sequence: number; readonly number: number }[]
  /** True if earlier rows are missing: rows older than the first frame are kept unchanged. */
  readonly isCut: boolean
}

/** Writes the tasks' initial rows to an empty staging log. `base` and `least`: see FoldFrom. */
export const begin = async (
  tape: CorrectedTape,
  making: Making,
  scratch: Log,
  { base, least }: { readonly base: number; readonly least: number },
): Promise<Beginning> => {
  const topics = making.topology.operations.rebuild.reads
  const all = Array.from({ length: tape.partitions }, (_, partition) => partition)
  const isWhole = least === 0 && all.every((partition) => tape.start(partition) === 0)
  if (isWhole && base === 0) return beginning(tape, least, false)
  const found = await Promise.all(all.map((partition) => basesOf(making.log, topics, partition)))
  const bases = found.flatMap((of) => of[isWhole ? base - 1 : base] ?? [])
  if (bases.length < all.length) return beginning(tape, least, true)
  await seedExchange(making.log, topics.exchange, bases, async (partition) => new Chunks(await scratch.own(`seed-${partition}`)))
  for (const one of bases) await seedRows(making, scratch, one, tape.partitions)
  const starts = bases.map((one) => ({ place: placeIn(one, topics.tape), sequence: one.mark.sequence, number: one.mark.number }))
  const newest = bases.reduce((a, b) => (b.mark.number > a.mark.number ? b : a))
  return { first: { number: newest.mark.number + 1, time: newest.mark.time }, starts, isCut: false }
}

const placeIn = (base: Base, tape: Topics['tape']): number => placeOf(offsetIn(base, tape))

/** Writes the rows of a copy in the shape of the current versions, and the offset at which their task continues. */
const seedRows = async ({ log, topology }: Making, scratch: Log, base: Base, partitions: number): Promise<void> => {
  const { partition, mark } = base
  const definition = topology.folds(partitions)
  const chunks = new Chunks(await scratch.own(`seed-${partition}`))
  const stores = await pagesOf(log, topology.operations.rebuild.reads.bases, base)
  // The undo of rows in another shape cannot be used.
  const isMoved = mark.stores.some((writer) => {
    const fold = foldOf(definition, writer.name)
    return fold !== undefined && migratorOf(fold, writer) !== undefined
  })
  for (const writer of mark.stores) {
    const fold = foldOf(definition, writer.name)
    const migrated = fold && migratorOf(fold, writer)
    if (fold === undefined) continue
    for (const [key, pages] of stores.get(writer.name) ?? []) {
      if (isMoved && writer.name === '' && isUndoKey(key)) continue
      for (const page of migrated?.(key, pages) ?? asTheyAre(key, pages)) await chunks.push({ topic: fold.changelog, partition, ...page })
    }
  }
  await chunks.end()
  const inputs = new Map([[`${definition.input.name}/${partition}`, placeIn(base, topology.operations.rebuild.reads.tape)]])
  await (await scratch.own(`${definition.name}-${partition}`)).commit({ outputs: [], inputs })
}

/** The current reader of a store's rows: a processor, or the task itself (name ''); undefined if no processor has this name. */
const foldOf = (
  { folds, changelog }: ReturnType<Topology['folds']>,
  name: string,
): (RowReader & { readonly changelog: typeof changelog }) | undefined =>
  name === '' ? { processor: { version: 0 }, state: taskState, changelog } : folds.find(({ processor }) => processor.name === name)

const asTheyAre = (key: string, pages: Pages): PageRecord[] =>
  pages.flatMap((value, page) => (value === undefined ? [] : [{ key: pageKey(key, page), value: asBuffer(value) }]))

/** The first frame from a sequence on that every partition has, and its place in each; partitions without it start at their end. */
const beginning = async (tape: CorrectedTape, least: number, isCut: boolean): Promise<Beginning> => {
  const all = Array.from({ length: tape.partitions }, (_, partition) => partition)
  const heads = await Promise.all(all.map((partition) => frameFrom(tape, partition, least)))
  const sequence = Math.max(least, ...heads.map(({ head }) => head?.sequence ?? 0))
  const found = await Promise.all(all.map((partition) => frameFrom(tape, partition, sequence)))
  const { number, time } = found.find(({ head }) => head !== undefined)?.head ?? { number: 0, time: 0 }
  return { first: { number, time }, starts: found.map(({ place }) => ({ place, sequence: -1, number: number - 1 })), isCut }
}

interface Found {
  readonly place: number
  readonly head?: FramePlace & { readonly sequence: number }
}
const frameFrom = async (tape: CorrectedTape, partition: number, least: number): Promise<Found> => {
  for await (const record of tape.records(partition, tape.start(partition))) {
    const entry = tape.recordIn(record)
    if (entry?.type === 'batch' && entry.sequence >= least) return { place: record.offset, head: entry }
  }
  return { place: tape.end(partition) }
}
