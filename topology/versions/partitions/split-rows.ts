// Writes the rows of all tasks of a chain to a log with another number of partitions. All tasks have folded the same final frame, so that
// no undo is needed.

import { factCodecsOf } from '../../../schemas/codecs.ts'
import { assert } from '../../../schemas/errors.ts'
import type { ChainEvent } from '../../../schemas/record-forms.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { ClosingRow, CursorRow, Fact, StandingRow, TaskState, UnsentRow } from '../../../schemas/types.ts'
import { ownKey, taskState } from '../../engine/rows/own-rows.ts'
import { emptyPage, parsePageKey } from '../../engine/rows/state-type.ts'
import type { Log, LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { FoldsDefinition } from '../../topology.ts'
import type { Chunks } from '../chunks.ts'

export type Folds = FoldsDefinition<ChainEvent>
type Into = Pick<Chunks, 'push'>

const keyOf = (key: Uint8Array): string => Buffer.from(key).toString('latin1')

/** The newest records of one partition of a compacted topic. A staging log may still have older ones of a key. */
async function* newestOf(
  log: LogReader,
  topic: Topic,
  partition: number,
): AsyncGenerator<{ readonly key: Uint8Array; readonly value: Uint8Array }> {
  const newest = new Map<string, number>()
  for await (const { key, offset } of recordsOf(log, topic, partition)) newest.set(keyOf(key), offset)
  for await (const { key, value, offset } of recordsOf(log, topic, partition))
    if (value !== null && newest.get(keyOf(key)) === offset) yield { key, value }
}

/** Moves the rows of a processor to the partitions of their keys. `folds`: of the log that receives them. */
export const splitRows = async (made: Log, topic: Topic, { exchange }: Folds, into: Into): Promise<void> => {
  for (let from = 0; from < made.partitions(topic); from++)
    for await (const { key, value } of newestOf(made, topic, from))
      await into.push({ topic, partition: exchange.partitionOf(parsePageKey(key).key), key, value })
}

/** A task's own rows without undo. */
export interface OwnState {
  readonly cursor: CursorRow
  readonly standing: StandingRow | null
  readonly closings: readonly ClosingRow[]
  readonly unsent: readonly Fact[]
}

/** The own rows of the tasks of a chain, as those of one task. @throws (a bug) unless all tasks are at the same frame */
export const ownStateOf = async (made: Log, { name, changelog, exchange }: Folds): Promise<OwnState> => {
  const states: OwnState[] = []
  for (let partition = 0; partition < made.partitions(changelog); partition++)
    states.push(await readOwn(made, { id: `${name}-${partition}`, topic: changelog, partition, keyBytes: exchange.keyBytes }))
  const [first] = states
  assert(first !== undefined && states.every((state) => placeIn(state) === placeIn(first)), `all tasks of ${name} are at the same frame`)
  return { ...first, unsent: states.flatMap(({ unsent }) => unsent) }
}

/** The part of a state that all tasks have in common. */
const placeIn = ({ cursor: { facts: _, ...cursor }, standing, closings }: OwnState): string =>
  JSON.stringify([cursor, standing, [...closings].sort((a, b) => a.closedBy - b.closedBy)])

interface OwnPlace {
  readonly id: string
  readonly topic: Topic
  readonly partition: number
  readonly keyBytes: number
}
const readOwn = async (made: Log, { id, topic, partition, keyBytes }: OwnPlace): Promise<OwnState> => {
  let cursor: CursorRow | null = null
  let standing: StandingRow | null = null
  const closings: ClosingRow[] = []
  const unsent: Fact[] = []
  for await (const { key, value } of newestOf(made, topic, partition)) {
    if (parsePageKey(key).key !== id) continue
    const page = taskState.decode(value) as unknown as TaskState
    cursor ??= page.cursor
    standing ??= page.standing
    closings.push(...page.closings)
    for (const row of page.unsent) unsent.push(factIn(row, keyBytes))
  }
  assert(cursor !== null, `${id} has folded a frame`)
  return { cursor, standing, closings, unsent }
}
const factIn = ({ fact }: UnsentRow, keyBytes: number): Fact => {
  const read = factCodecsOf(keyBytes).one.decode(fact)
  assert(read.ok, 'own facts are readable')
  return read.value
}

/** Own rows of the task of a partition: with the facts that its keys have not sent yet. */
export const ownPageOf = (state: OwnState, { name, exchange }: Folds, partition: number): { key: Buffer; value: Buffer } => {
  const { one } = factCodecsOf(exchange.keyBytes)
  const facts = state.unsent.filter(({ fromKey }) => exchange.partitionOf(fromKey) === partition)
  const unsent = facts.map((fact, n) => ({ n, fact: one.encode(fact) }))
  const cursor = { ...state.cursor, facts: facts.length }
  const page = { ...emptyPage(taskState.kinds), cursor, standing: state.standing, closings: [...state.closings], unsent }
  return { key: ownKey(`${name}-${partition}`), value: taskState.encode(page) }
}
