// Commits to a Kafka log as fast as possible, and prints each number once it is durable; killed by its test. Arguments: brokers, registry,
// prefix, seed, and `shared` for owners that share a writer. Each commit writes the same number to two partitions, a changelog and an input
// offset.

import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { retryCommit } from '../../../topology/waiting/retry.ts'
import { CONTRACT_TOPICS } from '../../contract/kafka-given.ts'
import { EVENTS, out, ROWS, SETUP } from '../../contract/log-topics.ts'
import { TOPICS } from '../../fixtures/topics.ts'

const [brokers = '', url = '', prefix = '', seed = '0', sharing = ''] = process.argv.slice(2)
const log = await openKafkaLog({
  brokers: brokers.split(','),
  registry: { url, login: null },
  security: { tls: false, sasl: null },
  durable: 'none',
  prefix,
  partitions: SETUP.partitions,
  topics: CONTRACT_TOPICS,
  owners: TOPICS.owners,
  notice: (message) => process.stderr.write(`${message}\n`),
})

/** xorshift32: sizes differ from run to run, and a seed reproduces them. */
let state = Number(seed) | 1
const below = (limit: number): number => {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % limit
}

/** More than one send per partition: much of the time passes inside transactions, where kills matter most. */
const FILLERS = 300

const write = async (id: string, partition: number): Promise<void> => {
  const owner = await log.own(id, sharing === 'shared')
  process.stdout.write('open\n')
  for (let number = (owner.committed().get('in') ?? 0) + 1; ; number++) {
    const text = String(number)
    const outputs = [
      out(EVENTS, partition, id, text),
      out(EVENTS, 2, id, text),
      out(ROWS, partition, 'total', text),
      ...Array.from({ length: FILLERS }, () => out(ROWS, partition, `filler ${below(200)}`, 'x'.repeat(below(2_000)))),
    ]
    const commit = { outputs, inputs: new Map([['in', number]]) }
    await retryCommit(owner, commit, DEFAULT_LIMITS, () => false)
    process.stdout.write(`${id} ${number}\n`)
  }
}
await Promise.all([write('a', 0), write('b', 1)])
