// Rolls back the frames of an orphaned branch, newest first.
import { assert } from '../../../schemas/errors.ts'
import { tapeTorn, undoExhausted } from '../failures.ts'
import type { Entry, FrameName, Journal, Revert, UndoFrame } from './journal.ts'

const isSame = (a: FrameName, b: FrameName): boolean => a.number === b.number && a.hash8 === b.hash8

/**
 * Rolls back every frame after the one that `revert` names and returns them, newest first; none if it is the newest, if nothing was folded
 * yet, or if it was never seen and is newer than all folded frames: input expired in between. `putBack` receives all entries, newest first.
 * @throws EngineError `undo_exhausted`, before anything is restored;
 * `tape_torn` if the frames differ from those that the revert names: the task must end.
 */
export const rollBack = (
  revert: Revert,
  newest: FrameName | undefined,
  journal: Journal,
  putBack: (entry: Entry) => void,
): readonly UndoFrame[] => {
  if (newest === undefined || isSame(newest, revert) || revert.number > newest.number) return []
  const depth = journal.depthTo(revert)
  if (depth === undefined) throw undoExhausted(revert, newest, journal.frames.length)
  const dead: UndoFrame[] = []
  for (let i = 0; i < depth; i++) {
    const frame = journal.pop()
    assert(frame !== undefined, 'a journal has the frames it counted')
    for (let n = frame.entries.length - 1; n >= 0; n--) putBack(frame.entries[n] as Entry)
    dead.push(frame)
  }
  const stated = revert.dead
  if (stated !== undefined && !(stated.length === dead.length && stated.every((name, i) => isSame(name, dead[i] as UndoFrame))))
    throw tapeTorn(revert)
  return dead
}
