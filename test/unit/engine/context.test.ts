// Validation in a processor's context: an invalid request is a bug and changes nothing.
import { TaskContext } from '../../../topology/engine/context.ts'
import { Store } from '../../../topology/engine/rows/store.ts'
import { TimerHeap } from '../../../topology/engine/timers.ts'
import { Journal } from '../../../topology/engine/undo/journal.ts'
import { definition } from '../../fixtures/transfers.ts'

test('a timer must be due at whole seconds, else it is a bug and not set', () => {
  const { state } = definition().folds[0] as NonNullable<ReturnType<typeof definition>['folds'][0]>
  const store = new Store('transfers', state, { journal: new Journal({ undoFramesMax: 0, undoBytesMax: 0 }), hotFrames: 4 })
  const timers = new TimerHeap()
  const context = new TaskContext(
    store,
    timers,
    () => {},
    () => {},
  ).point('k')
  for (const due of [1.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => context.schedule('wake', due)).toThrow('timer wake: due is whole unix seconds')
  expect([timers.size, [...store.keys()]]).toEqual([0, []])
  context.schedule('wake', 2)
  expect([...store.timers()]).toEqual([{ store: 'transfers', key: 'k', name: 'wake', due: 2 }])
})
