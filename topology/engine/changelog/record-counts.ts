// The number of a task's live records on each of its changelogs, stored with its input offsets. A restore that finds another number knows
// that the log lost records, or shows deleted ones again, which the rows alone do not show.
import type { Topic } from '../../../schemas/topics.ts'

/** Programs that do not know the counts leave them as they are: each has the lowest digits of the input offset of its commit. */
const STAMPS = 2 ** 20

/** The name under which the count of a changelog is stored. */
export const countName = ({ name }: Topic, partition: number): string => `records:${name}/${partition}`

/** `input`: the input offset of the same commit. */
export const stampedCount = (records: number, input: number): number => records * STAMPS + (input % STAMPS)

/** The count as of the commit with this input offset; undefined if that commit stored none. */
export const countIn = (stamped: number | undefined, input: number): number | undefined =>
  stamped === undefined || stamped === 0 || stamped % STAMPS !== input % STAMPS ? undefined : Math.floor(stamped / STAMPS)

/** For a writer of changelogs that does not count: the next restore of the task `id` accepts what it finds. */
export const uncounted = (topics: readonly Topic[], partition: number): readonly (readonly [name: string, stamped: number])[] =>
  topics.map((topic) => [countName(topic, partition), 0])
