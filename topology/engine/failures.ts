// Failures after which a task cannot continue with its current rows and input.
import type { FrameHeader } from '../../processors/contract.ts'
import { EngineError, hasCode } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { MissingPage } from './rows/cold-pages.ts'
import type { FrameName, Revert } from './undo/journal.ts'

/** True for a failure between two frames: all frames folded before are complete and may be committed. */
export const isBetweenFrames = (failure: unknown): boolean => hasCode(failure, 'undo_exhausted', 'exchange_torn', 'time_fell')

export const undoExhausted = ({ chain, number, hash8 }: Revert, newest: FrameName, frames: number): EngineError =>
  new EngineError(
    'undo_exhausted',
    `cannot roll back from ${chain}:${newest.number}@${newest.hash8} to ${number}@${hash8}: the undo holds ${frames} frames and it is not below one of them`,
    { facts: { chain, number, hash8, newest: newest.number, newestHash8: newest.hash8, frames } },
  )

/** The tape lacks frames that were folded: one of its records could not be read. */
export const tapeTorn = ({ chain, number, hash8 }: Revert): EngineError =>
  new EngineError('tape_torn', `the revert to ${chain}:${number}@${hash8} does not name the frames that were folded after it`, {
    facts: { chain, number, hash8 },
  })

export const exchangeTorn = ({ name }: Topic, writer: number, closedBy: number): EngineError =>
  new EngineError('exchange_torn', `task ${writer} never sent the facts of the epoch that frame ${closedBy} closed`, {
    facts: { topic: name, writer, closedBy },
  })

export const timeFell = ({ chain, number, time }: FrameHeader, newest: number): EngineError =>
  new EngineError('time_fell', `the tick time went back at ${chain}:${number} from ${newest} to ${time}`, { facts: { chain, number } })

/** A changelog lost a page of a key that still has a later one. `key`: of the rows, latin-1. */
export const pageLost = ({ name }: Topic, partition: number, { key, page }: MissingPage): EngineError => {
  const hex = Buffer.from(key, 'latin1').toString('hex')
  return new EngineError('rows_torn', `the changelog ${name}/${partition} has no page ${page} of key ${hex}, but a later page of it`, {
    facts: { topic: name, partition, key: hex, page, records: -1, expected: -1 },
  })
}

/** A changelog lost records, or shows deleted ones again. */
export const recordsLost = ({ name }: Topic, partition: number, records: number, expected: number): EngineError =>
  new EngineError(
    'rows_torn',
    `the changelog ${name}/${partition} has ${records} records, but had ${expected} after the newest commit of its task`,
    {
      facts: { topic: name, partition, key: '', page: -1, records, expected },
    },
  )

/** The rows of a standby may lack deletions. It is not an error for people: the task starts again, from its changelog. */
export const standbyOutdated = ({ name }: Topic, partition: number): EngineError =>
  new EngineError(
    'standby_outdated',
    `the standby of ${name}/${partition} was behind its tombstones, or read the topic's beginning in part`,
    {
      facts: { topic: name, partition },
    },
  )
