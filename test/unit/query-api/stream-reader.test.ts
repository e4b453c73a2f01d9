// A stream whose client does not read, and one without events.
import { Writable } from 'node:stream'
import { StreamReader } from '../../../query-api/stream/reader.ts'

const CURSOR = { number: 1, tx: 0, outer: 0, inner: 0, at: 0 }
const given = (isRead: boolean) => {
  const taken: string[] = []
  const pending: (() => void)[] = []
  const res = new Writable({
    highWaterMark: 16,
    write: (chunk, _encoding, done) => {
      taken.push(String(chunk))
      if (isRead) done()
      else pending.push(done)
    },
  })
  return { res, taken, pending, reader: new StreamReader(res, CURSOR, 0) }
}

test('a client that does not read is stalled, and is disconnected after half a minute', () => {
  const { res, reader } = given(false)
  reader.send('x'.repeat(20), 1_000)
  expect(reader.isStalled).toBe(true)
  reader.tick(30_900)
  expect(res.destroyed).toBe(false)
  reader.tick(31_000)
  expect(res.destroyed).toBe(true)
})

test('a client that reads again continues', async () => {
  const { res, reader, pending } = given(false)
  reader.send('x'.repeat(20), 1_000)
  pending.shift()?.()
  await new Promise(setImmediate)
  expect(reader.isStalled).toBe(false)
  reader.tick(40_000)
  expect(res.destroyed).toBe(false)
})

test('a comment is sent after silence, and not before', () => {
  const { reader, taken } = given(true)
  reader.tick(14_999)
  expect(taken).toEqual([])
  reader.tick(15_000)
  reader.tick(16_000)
  expect(taken).toEqual([':\n\n'])
})
