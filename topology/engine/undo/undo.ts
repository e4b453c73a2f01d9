// Rolls back the frames of an orphaned branch, newest first.
import { assert } from '../../../schemas/errors.ts'
import { tapeTorn, undoExhausted } from '../failures.ts'
import type { FrameName, Journal, Revert, UndoFrame, UndoGroup } from './journal.ts'

const isSame = (a: FrameName, b: FrameName): boolean => a.number === b.number && a.hash8 === b.hash8

/**
 * Rolls back every frame above the fork point, which `revert` names, and returns these frames, newest first. `restore` receives the
 * groups of each frame. Nothing is rolled back if nothing was folded yet, if the fork point is the newest folded frame, or if it is
 * above it: then the input between them expired before this task read it.
 * @throws EngineError `undo_exhausted`, before anything is restored;
 * `tape_torn` if the frames differ from those that the revert names: the task must end.
 */
export const rollBack = (
  revert: Revert,
  newest: FrameName | undefined,
  journal: Journal,
  restore: (group: UndoGroup) => void,
): readonly UndoFrame[] => {
  if (newest === undefined || isSame(newest, revert) || revert.number > newest.number) return []
  const depth = journal.depthTo(revert)
  if (depth === undefined) throw undoExhausted(revert, newest, journal.frames.length)
  const dead: UndoFrame[] = []
  for (let i = 0; i < depth; i++) {
    const frame = journal.pop()
    assert(frame !== undefined, 'a journal has the frames it counted')
    for (const group of frame.groups) restore(group)
    dead.push(frame)
  }
  const orphaned = revert.dead
  if (orphaned !== undefined && !(orphaned.length === dead.length && orphaned.every((name, i) => isSame(name, dead[i] as UndoFrame))))
    throw tapeTorn(revert)
  return dead
}
