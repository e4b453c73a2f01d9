// Dead letters of input records that cannot be read.

import { deadLetterCodec } from '../../../schemas/codecs.ts'
import { bad } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { DeadLetter } from '../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { recordPosition, rejectedRecord } from '../../../topology/records/records.ts'
import { isDecodedIn } from '../../../topology/versions/decoding/decode-again.ts'
import { isCorrected } from '../../../topology/versions/rebuild/put-in-place.ts'
import { TOPICS } from '../../fixtures/topics.ts'

const fault = bad('bad_encoding', 'the test wrote it')
const range = { from: 10, to: 20, sequence: 1, number: 5 }

const deadLetterOf = (name: string, topic: Topic, partition: number, offset = 100): DeadLetter => {
  const record = { offset, key: Buffer.alloc(0), value: Buffer.from('junk') }
  const [out] = rejectedRecord(TOPICS.deadLetters, { name, version: 4 })(record, fault, { topic, partition })
  const read = deadLetterCodec.decode(out?.value as Buffer)
  if (!read.ok) throw new Error(read.reason)
  return read.value
}

describe('the dead letter of an unreadable record', () => {
  test('has a separate id in every topic and partition', () => {
    const letters = [
      deadLetterOf('mint', TOPICS.tape, 0),
      deadLetterOf('mint', TOPICS.tape, 1),
      deadLetterOf('mint', TOPICS.exchange, 0),
      deadLetterOf('decode', TOPICS.raw, 0),
    ]
    expect(letters.map(({ id }) => id)).toEqual([
      'tape.solana/0/100:mint:0',
      'tape.solana/1/100:mint:0',
      'exchange/0/100:mint:0',
      'raw.solana/0/100:decode:0',
    ])
  })

  test("names the position where the product's tasks read it", () => {
    const record = { offset: 7, key: Buffer.alloc(0), value: null }
    const keys = [LAUNCH_RISK.decode(2), LAUNCH_RISK.folds(2)].map((task) => {
      const [out] = task.reject(record, fault, { topic: task.input, partition: 1 })
      return Buffer.from(out?.key as Uint8Array).toString()
    })
    expect(keys).toEqual(['raw.solana/1/7', 'tape.solana/1/7'])
  })
})

describe('a rebuild decides whether a dead letter is resolved', () => {
  const decoded = isDecodedIn('decode', TOPICS.raw, range)

  test('of a raw record by its offset, also in the format of an older version', () => {
    const at = (offset: number): DeadLetter => deadLetterOf('decode', TOPICS.raw, 0, offset)
    expect([9, 10, 19, 20].map((offset) => decoded(at(offset)))).toEqual([false, true, true, false])
    expect([9, 10].map((offset) => decoded({ ...at(offset), position: `decode/${offset}` }))).toEqual([false, true])
    expect(decoded(deadLetterOf('mint', TOPICS.tape, 0, 15))).toBe(false)
  })

  test('of a tape record by the corrections in its own partition', () => {
    const corrections = [new Map([[100, 0]]), new Map([[7, 1]])]
    const judged = (position: string): boolean => isCorrected('mint', TOPICS.tape, corrections, position)
    const tape = (partition: number, offset: number): string => recordPosition({ topic: TOPICS.tape, partition }, offset)
    expect([tape(0, 100), tape(1, 7)].map(judged)).toEqual([true, true])
    expect([tape(1, 100), tape(0, 7), recordPosition({ topic: TOPICS.exchange, partition: 0 }, 100)].map(judged)).toEqual([
      false,
      false,
      false,
    ])
    expect(['mint/100', 'mint/8'].map(judged)).toEqual([true, false])
  })
})
