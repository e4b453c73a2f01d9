// Commits to an lmdb log as fast as possible, and prints each number once it is durable; killed by its test. Arguments: directory, seed.
// Each commit writes the same number to two partitions, a changelog and an input offset.
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { EVENTS, out, ROWS, SETUP } from '../contract/log-topics.ts'

const [dir = '', seed = '0'] = process.argv.slice(2)
const log = await openLmdbLog({ dir, ...SETUP })
process.stdout.write('open\n')

/** xorshift32: sizes differ from run to run, and a seed reproduces them. */
let state = Number(seed) | 1
const below = (limit: number): number => {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % limit
}

/** Enough bytes that much of the time passes in a transaction, where kills matter most. */
const FILLERS = 30

/** Several owners, so groups hold more than one commit. */
const write = async (id: string, partition: number): Promise<void> => {
  const owner = await log.own(id)
  for (let number = (owner.committed().get('in') ?? 0) + 1; ; number++) {
    const text = String(number)
    const outputs = [
      out(EVENTS, partition, id, text),
      out(EVENTS, 2, id, text),
      out(ROWS, partition, 'total', text),
      ...Array.from({ length: FILLERS }, () => out(ROWS, partition, `filler ${below(200)}`, 'x'.repeat(below(30_000)))),
    ]
    await owner.commit({ outputs, inputs: new Map([['in', number]]) })
    process.stdout.write(`${id} ${number}\n`)
  }
}
await Promise.all([write('a', 0), write('b', 1)])
