// Late corrections of a market: rows removed, changed, retracted by a fork or written again; findings and outcomes withdrawn.
import { conclusionCodec, tapeRecordCodec } from '../../schemas/codecs.ts'
import type { Conclusion, TapeBatch, TapeEvent } from '../../schemas/types.ts'
import type { RowBatch } from '../../topology/history/rows/row-batch.ts'
import type { Log } from '../../topology/ports/log.ts'
import { CONCLUDED, TOPICS } from '../fixtures/topics.ts'
import { readAll, standingConclusions } from '../live.ts'

/** Adds one random correction to a batch and returns its kind. */
export type Correct = (batch: RowBatch) => string

/** Sequence numbers of corrections begin above any on the log, because the row with the highest sequence number is valid. */
const FIRST = 1_000_000
/** Number of corrections of one frame that get their own version; all later ones share the last version. */
const REVISIONS_MAX = 500

/** Conclusion types that are stored as rows. */
const KEPT: ReadonlySet<string> = new Set(['finding', 'outcome', 'role', 'shape', 'judgement'])

const framesOf = async (log: Log): Promise<TapeBatch[]> => {
  const frames = new Map<string, TapeBatch>()
  for (const { value } of await readAll(log, TOPICS.tape, 0)) {
    const read = tapeRecordCodec.decode(value as Uint8Array)
    if (!read.ok) throw new Error(read.reason)
    if (read.value.type === 'batch') frames.set(`${read.value.number}@${read.value.hash8}`, read.value)
    else if (read.value.type === 'revert') for (const { number, hash8 } of read.value.dead) frames.delete(`${number}@${hash8}`)
  }
  return [...frames.values()]
}

const conclusionsOf = async (log: Log): Promise<Conclusion[]> => {
  const conclusions: Conclusion[] = []
  for (const topic of CONCLUDED)
    for (let partition = 0; partition < log.partitions(topic); partition++) {
      const all = (await readAll(log, topic, partition)).map(({ value }) => conclusionCodec.decode(value as Uint8Array))
      conclusions.push(
        ...standingConclusions(all.flatMap((read) => (read.ok ? [read.value] : []))).map((text) => JSON.parse(text) as Conclusion),
      )
    }
  return conclusions.filter(({ body }) => KEPT.has(body.type))
}

const changed = (event: TapeEvent): TapeEvent =>
  event.type === 'trade' || event.type === 'poolTrade'
    ? { ...event, quoteUnits: Number(event.quoteUnits) + 3, tokenUnits: Number(event.tokenUnits) + 1 }
    : event

export const correctionsOf = async (log: Log, random: () => number): Promise<Correct> => {
  const frames = (await framesOf(log)).filter(({ events }) => events.length > 0)
  const conclusions = await conclusionsOf(log)
  const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One
  let sequence = FIRST
  const revisions = new Map<TapeBatch, number>()
  const revisionOf = (one: TapeBatch): number => {
    const revision = Math.min((revisions.get(one) ?? 0) + 1, REVISIONS_MAX)
    revisions.set(one, revision)
    return revision
  }
  const kinds: Readonly<Record<string, (batch: RowBatch) => void>> = {
    gone: (batch) => {
      const one = pick(frames)
      batch.gone(one, [pick(one.events)], revisionOf(one))
    },
    changed: (batch) => {
      const one = pick(frames)
      batch.corrected({ ...one, events: one.events.map(changed) }, true, revisionOf(one))
    },
    forked: (batch) => batch.tape(pick(frames), true, ++sequence),
    again: (batch) => batch.tape({ ...pick(frames), sequence: ++sequence }, true),
    withdrawn: (batch) => batch.conclusion(pick(conclusions), ++sequence, 'a revision'),
    conclusion: (batch) => batch.conclusion(pick(conclusions), ++sequence),
  }
  const names = Object.keys(kinds)
  return (batch) => {
    const name = pick(names)
    kinds[name]?.(batch)
    return name
  }
}
