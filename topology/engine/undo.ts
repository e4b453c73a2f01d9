// Taking frames back: everything a dead branch wrote, newest first.
import { assert, EngineError } from '../../schemas/errors.ts'
import type { Revert } from './definition.ts'
import type { Entry, FrameName, Journal, UndoFrame } from './journal.ts'

const isSame = (a: FrameName, b: FrameName): boolean => a.number === b.number && a.hash8 === b.hash8

/**
 * Takes back every frame after the one that `revert` names and gives them, newest first; none when it is the newest, or when nothing was
 * folded yet. `putBack` gets what each wrote, newest first. @throws EngineError `undo_exhausted`, before anything is put back.
 */
export const takeBack = (
  revert: Revert,
  newest: FrameName | undefined,
  journal: Journal,
  putBack: (entry: Entry) => void,
): readonly UndoFrame[] => {
  if (newest === undefined || isSame(newest, revert)) return []
  const depth = journal.depthTo(revert)
  if (depth === undefined) throw undoExhausted(revert, newest, journal)
  const dead: UndoFrame[] = []
  for (let i = 0; i < depth; i++) {
    const frame = journal.pop()
    assert(frame !== undefined, 'a journal has the frames it counted')
    for (let n = frame.entries.length - 1; n >= 0; n--) putBack(frame.entries[n] as Entry)
    dead.push(frame)
  }
  const told = revert.dead
  assert(
    told === undefined || (told.length === dead.length && told.every((name, i) => isSame(name, dead[i] as UndoFrame))),
    `the revert to ${revert.number}@${revert.hash8} does not name the frames that were folded after it`,
  )
  return dead
}

const undoExhausted = ({ chain, number, hash8 }: Revert, newest: FrameName, { frames }: Journal): EngineError =>
  new EngineError(
    'undo_exhausted',
    `cannot go back from ${chain}:${newest.number}@${newest.hash8} to ${number}@${hash8}: the undo holds ${frames.length} frames and it is not below one of them; rebuild from the tape: mintfold dead-letters redrive`,
    { facts: { chain, number, hash8, newest: newest.number, frames: frames.length } },
  )
