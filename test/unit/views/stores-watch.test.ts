// A view's status of a rebuild: who runs it, for what, and why.
import { rebuildCodec } from '../../../schemas/codecs.ts'
import type { RebuildStanding } from '../../../schemas/types.ts'
import { StoresWatch } from '../../../topology/views/stores-watch.ts'

const record = (change: Partial<RebuildStanding>): { value: Buffer } => ({
  value: rebuildCodec.encode({
    ...{ chain: 'solana', state: 'beside', by: 'host:1', beat: 1, reason: null, words: 'folding, 3 %' },
    ...{ target: [{ name: 'mint', version: 5 }], schemas: [], ...change },
  }),
})

describe('the status of a rebuild', () => {
  test('in another process names that process, and the reason if there is one', () => {
    const watch = new StoresWatch()
    watch.takeRebuild(record({}))
    expect(watch.text).toBe('the stores are rebuilt by host:1 for mint 5: folding, 3 %')
    watch.takeRebuild(record({ reason: 'exchange_torn 1 107: task 1 sent nothing' }))
    expect(watch.text).toBe('the stores are rebuilt by host:1 for mint 5, because exchange_torn 1 107: task 1 sent nothing: folding, 3 %')
  })
  test('in this process gives its progress and reason', () => {
    const watch = new StoresWatch()
    watch.here = 'the stores are rebuilt: folds the tape again, 34 %'
    expect(watch.text).toBe('the stores are rebuilt: folds the tape again, 34 %')
    watch.takeRebuild(record({ state: 'switching', reason: 'undo_exhausted: too deep' }))
    expect(watch.text).toBe('the stores are rebuilt: folds the tape again, 34 %, because undo_exhausted: too deep')
  })
  test('is null once the rebuild has ended, whatever its reason was', () => {
    const watch = new StoresWatch()
    watch.takeRebuild(record({ reason: 'undo_exhausted: too deep' }))
    watch.takeRebuild(record({ state: 'none', reason: 'undo_exhausted: too deep' }))
    expect(watch.text).toBeNull()
    watch.here = 'the stores are rebuilt: puts the new stores in place, 10 %'
    expect(watch.text).toBe('the stores are rebuilt: puts the new stores in place, 10 %')
  })
})
