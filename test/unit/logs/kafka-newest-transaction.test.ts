import { decisionOf, Memory, type NewestTransaction } from '../../../topology/logs/kafka/owners/newest-transaction.ts'

const COMMITTED: NewestTransaction = { producerId: 1n, epoch: 4, decision: 'committed', isEnding: false, partitions: undefined }
const FORGOTTEN: NewestTransaction = { producerId: 1n, epoch: 5, decision: undefined, isEnding: false, partitions: undefined }

describe('what a log remembers of a transactional id', () => {
  test('is the newest decision that it read, while the coordinator has forgotten it', () => {
    const memory = new Memory()
    expect(memory.newestOf('w', FORGOTTEN)).toBe(FORGOTTEN)
    memory.newestOf('w', COMMITTED)
    expect(memory.newestOf('w', FORGOTTEN)).toBe(COMMITTED)
    const aborted = { ...COMMITTED, epoch: 6, decision: 'aborted' } as const
    expect(memory.newestOf('w', aborted)).toBe(aborted)
    expect(memory.newestOf('w', FORGOTTEN)).toBe(aborted)
  })
  test('ends when its markers are complete, and is not that of another id or producer', () => {
    const memory = new Memory()
    memory.newestOf('w', COMMITTED)
    expect(memory.newestOf('other', FORGOTTEN)).toBe(FORGOTTEN)
    const ofOther = { ...FORGOTTEN, producerId: 2n }
    expect(memory.newestOf('w', ofOther)).toBe(ofOther)
    memory.forget('w')
    expect(memory.newestOf('w', FORGOTTEN)).toBe(FORGOTTEN)
  })
  test('is bounded: the oldest of more than 1,000 ids are dropped', () => {
    const memory = new Memory()
    for (let n = 0; n <= 1_000; n++) memory.newestOf(`w${n}`, COMMITTED)
    expect(memory.newestOf('w0', FORGOTTEN)).toBe(FORGOTTEN)
    expect(memory.newestOf('w1', FORGOTTEN)).toBe(COMMITTED)
  })
})

describe('how a transaction ended that is still open in a partition', () => {
  const aborted = { ...COMMITTED, decision: 'aborted' } as const
  const open = { ...aborted, partitions: new Set(['events/0']) }
  test.each([
    ['the newest one, committed', COMMITTED, 4, 'committed'],
    ['the newest one, committed, of a broker that bumps epochs at the end', COMMITTED, 3, 'committed'],
    ['the newest one, aborted', aborted, 4, 'aborted'],
    ['the newest one, aborted, of a coordinator that bumped the epoch', aborted, 3, 'aborted'],
    ['an older one than an aborted one', aborted, 2, 'committed'],
    ['the one that is open at the coordinator', open, 4, 'aborted'],
    ['an older one than that', open, 3, 'committed'],
    ['a newer one than was read', COMMITTED, 5, undefined],
    ['one that the coordinator has forgotten', FORGOTTEN, 4, undefined],
  ] as const)('%s', (_name, newest, epoch, decision) => {
    expect(decisionOf(newest, 'events/0', epoch)).toBe(decision)
  })
  test('an older one of the same epoch, in a partition that the open one does not have', () => {
    expect(decisionOf(open, 'events/1', 4)).toBe('committed')
  })
})
