// What a view says of stores that are rebuilt: who does it, for what, and why.
import { rebuildCodec } from '../../../schemas/codecs.ts'
import type { RebuildStanding } from '../../../schemas/types.ts'
import { StoresWatch } from '../../../topology/views/stores-watch.ts'

const record = (change: Partial<RebuildStanding>): { value: Buffer } => ({
  value: rebuildCodec.encode({
    ...{ chain: 'solana', state: 'beside', by: 'host:1', beat: 1, reason: null, words: 'folding, 3 %' },
    ...{ target: [{ name: 'mint', version: 5 }], schemas: [], ...change },
  }),
})

describe('what a view says of a rebuild', () => {
  test('elsewhere names who makes it, and why where somebody or something asked', () => {
    const watch = new StoresWatch()
    watch.takeRebuild(record({}))
    expect(watch.words).toBe('the stores are rebuilt by host:1 for mint 5: folding, 3 %')
    watch.takeRebuild(record({ reason: 'exchange_torn 1 107: task 1 never told' }))
    expect(watch.words).toBe('the stores are rebuilt by host:1 for mint 5, because exchange_torn 1 107: task 1 never told: folding, 3 %')
  })
  test('in this process says how far it is, and why', () => {
    const watch = new StoresWatch()
    watch.here = 'the stores are rebuilt: folds the tape again, 34 %'
    expect(watch.words).toBe('the stores are rebuilt: folds the tape again, 34 %')
    watch.takeRebuild(record({ state: 'switching', reason: 'undo_exhausted: too deep' }))
    expect(watch.words).toBe('the stores are rebuilt: folds the tape again, 34 %, because undo_exhausted: too deep')
  })
  test('that has ended is nothing, whatever it was for', () => {
    const watch = new StoresWatch()
    watch.takeRebuild(record({ reason: 'undo_exhausted: too deep' }))
    watch.takeRebuild(record({ state: 'none', reason: 'undo_exhausted: too deep' }))
    expect(watch.words).toBeNull()
    watch.here = 'the stores are rebuilt: puts the new stores in place, 10 %'
    expect(watch.words).toBe('the stores are rebuilt: puts the new stores in place, 10 %')
  })
})
