// A source that plays a story: a few entries per commit, with its position in the story in the same commit.
import { EngineError } from '../../schemas/errors.ts'
import type { OutRecord, TaskOwner } from '../../topology/ports/log.ts'
import type { Dice } from './dice.ts'
import type { Job, Seat } from './job.ts'

const PLACE = 'story'
const PAUSE_MS_MAX = 60

/** Plays the records of each entry, in order, at most `entriesMax` entries per commit. */
export const sourceJob = (story: readonly (readonly OutRecord[])[], entriesMax: number, dice: Dice): Job => ({
  id: 'source',
  open: ({ log }): Seat => {
    let owner!: TaskOwner
    let next = 0
    let isStopping = false
    let end = (): void => {}
    const append = async (entries: number): Promise<void> => {
      try {
        await owner.commit({ outputs: story.slice(next, next + entries).flat(), inputs: new Map([[PLACE, next + entries]]) })
        next = Math.min(next + entries, story.length)
      } catch (failure) {
        if (!(failure instanceof EngineError && failure.retriable)) throw failure
      }
    }
    return {
      restore: async () => {
        owner = await log.own('source')
        next = owner.committed().get(PLACE) ?? 0
      },
      run: async () => {
        while (next < story.length && !isStopping) {
          await append(Math.min(dice.int(1, entriesMax), story.length - next))
          const pauseMs = dice.int(0, PAUSE_MS_MAX)
          await new Promise<void>((resolve) => setTimeout(resolve, pauseMs))
        }
        if (!isStopping)
          await new Promise<void>((resolve) => {
            end = resolve
          })
      },
      stop: () => {
        isStopping = true
        end()
      },
      get isCaughtUp() {
        return next >= story.length
      },
    }
  },
})
