// Migrates a task's own rows from the topic of older versions to the current one, in one commit.
//
// The old topic then holds a record that no program can read as rows: an older version that takes over the task fails there instead of
// starting from scratch behind newer commits.
import type { Topic } from '../../../schemas/topics.ts'
import type { Commit, Log, OutRecord } from '../../ports/log.ts'
import { NewestRecords } from '../changelog/newest.ts'
import type { TaskDefinition } from '../definition.ts'
import { isOfTask, ownKey } from './own-rows.ts'

const READ = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 }
const LEFT = Buffer.alloc(0)

/** The task `id` whose rows are to be moved. */
export type Moving = Pick<TaskDefinition<never, never>, 'changelog' | 'formerChangelog'> & {
  readonly id: string
  readonly partition: number
}

/** The commit that moves the rows; undefined if they were moved before. Only the owner of the task may request and commit it. */
export const rowsToMove = async (log: Log, { id, partition, changelog, formerChangelog }: Moving): Promise<Commit | undefined> => {
  if (formerChangelog === undefined || (await log.decidedEnd(changelog, partition)) > 0) return undefined
  const outputs: OutRecord[] = []
  for (const { key, value } of await ownRecords(log, formerChangelog, partition, id)) {
    if (value.length === 0) return undefined
    outputs.push({ topic: changelog, partition, key, value }, { topic: formerChangelog, partition, key, value: null })
  }
  outputs.push({ topic: formerChangelog, partition, key: ownKey(id), value: LEFT })
  return { outputs, inputs: new Map() }
}

/** The newest record of each key of the task. */
const ownRecords = async (
  log: Log,
  topic: Topic,
  partition: number,
  id: string,
): Promise<readonly { readonly key: Buffer; readonly value: Buffer }[]> => {
  const newest = new NewestRecords()
  const isOwn = isOfTask(id)
  const end = await log.decidedEnd(topic, partition)
  for (let offset = log.start(topic, partition); offset < end; ) {
    const records = await log.read(topic, partition, offset, READ)
    const last = records.at(-1)
    if (last === undefined) break
    newest.add(records.filter(({ key }) => isOwn(key)))
    offset = last.offset + 1
  }
  return [...newest.take()]
}
