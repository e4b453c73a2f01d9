// The comparator's fold on mintfold's engine: its topics, records and task.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FrameHeader } from '../../../processors/contract.ts'
import { loadType, readSchema } from '../../../schemas/avro.ts'
import { good } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { TaskDefinition } from '../../../topology/engine/definition.ts'
import type { AnyFold } from '../../../topology/engine/fold.ts'
import { stateTypeOf } from '../../../topology/engine/rows/state-type.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { type FoldEvent, type FoldFlag, foldProcessor } from './processor.ts'

export const PARTITIONS = 8
export const RETENTION_HOURS = 24

/** Schemas of this folder, by their paths relative to the folder of all schemas. */
const schemas = fileURLToPath(new URL('../../../schemas/', import.meta.url))
const schema = (name: string): string => relative(schemas, fileURLToPath(new URL(`./${name}`, import.meta.url)))

const topic = (name: string, schemaName: string, cleanup: Topic['cleanup']): Topic => ({
  name,
  schema: schema(schemaName),
  cleanup,
  partitions: 'many',
  retentionHours: RETENTION_HOURS,
  doc: '',
})

export const tapeOf = (tape: string): Topic => topic(tape, 'fold-tape', 'delete')

/** Topics of one run: a drain starts with an empty changelog. */
export const topicsOf = (run: string, tape: string) => ({
  tape: tapeOf(tape),
  flags: topic(`${run}.flags`, 'fold-flag', 'delete'),
  rows: topic(`${run}.rows`, 'fold-state', 'compact'),
  task: { ...TOPICS.taskChangelog, name: `${run}.task` },
})

export interface FoldFrame {
  readonly sequence: number
  readonly slot: number
  readonly time: number
  readonly events: readonly FoldEvent[]
  /** If not null, the record is no frame but reports that slots up to this one are final. */
  readonly finalized: number | null
}

/** A record of finality: four numbers and an empty list. Frames with events are longer. */
const FINALITY_BYTES_MAX = 40

/** Hash of every frame: no fork occurs. */
export const HASH8 = '0'.repeat(8)

export const frameType = loadType(schema('fold-tape'))
export const flagType = loadType(schema('fold-flag'))
const state = stateTypeOf(readSchema(schema('fold-state')))

/** With `undo`, a frame is final only once the tape reports it. Without, frames are final at once: the comparator has no rollback. */
export const benchTask = (run: string, tapeName: string, undo: boolean): TaskDefinition<FoldEvent, FrameHeader> => {
  const { tape, flags, rows, task } = topicsOf(run, tapeName)
  const fold: AnyFold<FoldEvent, FrameHeader> = {
    processor: foldProcessor as unknown as AnyFold<FoldEvent, FrameHeader>['processor'],
    state,
    changelog: rows,
    writes: [flags],
    collect: (_header, outputs, partition) =>
      outputs.map(({ key, output }) => ({
        topic: flags,
        partition,
        key: Buffer.from(key, 'latin1'),
        value: flagType.toBuffer(output as FoldFlag),
      })),
  }
  return {
    name: run,
    folds: [fold],
    input: tape,
    changelog: task,
    writes: [],
    open: () => (record) => {
      const { value } = record
      if (value === null) throw new Error(`the tape has a null value at ${record.offset}`)
      const { events, slot, finalized, ...frame } = frameType.fromBuffer(value as Buffer) as FoldFrame
      if (finalized === null)
        return good({ type: 'frame', frame: { header: { chain: 'solana', hash8: HASH8, number: slot, final: !undo, ...frame }, events } })
      const finality = { chain: 'solana' as const, sequence: frame.sequence, confirmed: finalized, finalized }
      return undo ? good({ type: 'finality', finality }) : undefined
    },
    finalityIn: ({ value }) =>
      undo && value !== null && value.length <= FINALITY_BYTES_MAX
        ? ((frameType.fromBuffer(value as Buffer) as FoldFrame).finalized ?? -1)
        : -1,
    positionOf: ({ tx, ix }, { chain, number }) => ({ chain, number, tx, outer: ix, inner: 0 }),
    reject: (record, { code, reason }) => {
      throw new Error(`${code} at ${record.offset}: ${reason}`)
    },
    retract: () => [],
  }
}
