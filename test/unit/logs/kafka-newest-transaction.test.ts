import { Memory, type NewestTransaction } from '../../../topology/logs/kafka/owners/newest-transaction.ts'

const COMMITTED: NewestTransaction = { producerId: 1n, epoch: 4, decision: 'committed', partitions: undefined }
const FORGOTTEN: NewestTransaction = { producerId: 1n, epoch: 5, decision: undefined, partitions: undefined }

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
