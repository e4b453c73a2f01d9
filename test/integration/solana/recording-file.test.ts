import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import avro from 'avsc'
import { decodeFrame } from '../../../processors/chains/solana/decode-frame.ts'
import type { RawFrame } from '../../../schemas/types.ts'
import { readRecording, writeRecording } from '../../../topology/sources/recording/recording-file.ts'

const SHIPPED = join(process.cwd(), 'test/recordings')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'))
})
afterAll(() => rm(folder, { recursive: true }))

const readAll = async (path: string): Promise<RawFrame[]> => {
  const frames: RawFrame[] = []
  for await (const frame of readRecording(path)) frames.push(frame)
  return frames
}
const shipped = (name: string): Promise<RawFrame[]> => readAll(join(SHIPPED, name))
const refusal = (path: string): Promise<unknown> =>
  readAll(path).then(
    () => 'read',
    (error) => error,
  )

describe('recordings', () => {
  test('are read as they were written, and writing them again gives the same bytes', async () => {
    const frames = await shipped('transactions.avro')
    const [one, two] = [join(folder, 'one.avro'), join(folder, 'two.avro')]
    expect(await writeRecording(one, frames)).toBe(25)
    await writeRecording(two, await readAll(one))
    expect(await readAll(one)).toEqual(frames)
    expect(await readFile(one)).toEqual(await readFile(two))
    expect(await readFile(one)).toEqual(await readFile(join(SHIPPED, 'transactions.avro')))
  })

  test('can be read by any Avro reader', async () => {
    const decoder = avro.createFileDecoder(join(SHIPPED, 'launches.avro'))
    const numbers: number[] = []
    for await (const frame of decoder as AsyncIterable<{ number: number }>) numbers.push(frame.number)
    expect(numbers).toEqual([284682639, 415597202, 430584458, 435946190, 448641728])
  })

  test('the shipped files decode to their launches and trades, and each frame of launches.avro has one launch', async () => {
    const types = async (name: string) =>
      (await shipped(name)).map((frame) =>
        decodeFrame(frame).events.flatMap(({ type }) => (type === 'balance' || type === 'transfer' ? [] : [type])),
      )
    expect((await types('blocks.avro')).map((events) => events.length)).toEqual([12, 51])
    expect(await types('launches.avro')).toEqual([
      ['launch', 'trade'],
      ['launch'],
      ['launch', 'trade'],
      ['launch', 'trade'],
      ['launch', 'trade', 'complete'],
    ])
    expect((await shipped('launches.avro')).every(({ vouched, placed, blockTime }) => vouched && placed && blockTime !== null)).toBe(true)
    expect((await types('transactions.avro')).flat()).toHaveLength(45)
  })

  test('truncated at any byte fail with torn_recording, or not_a_recording if the header is incomplete', async () => {
    const bytes = await readFile(join(SHIPPED, 'launches.avro'))
    const path = join(folder, 'cut.avro')
    const codes = new Set<string>()
    const readable: number[] = []
    for (let length = 0; length < bytes.length; length += 97) {
      await writeFile(path, bytes.subarray(0, length))
      const error = await refusal(path)
      if (error === 'read') readable.push(length)
      else {
        expect(error).toMatchObject({ name: 'EngineError', facts: { path, offset: expect.any(Number) } })
        codes.add((error as { code: string }).code)
      }
    }
    expect([[...codes], readable]).toEqual([['not_a_recording', 'torn_recording'], []])
  })

  test('with a changed sync marker fail with torn_recording after the frames before it', async () => {
    const bytes = await readFile(join(SHIPPED, 'launches.avro'))
    const marker = bytes.subarray(-16)
    const second = bytes.indexOf(marker, bytes.indexOf(marker, bytes.indexOf(marker) + 16) + 16)
    const path = join(folder, 'changed.avro')
    bytes[second] = (bytes[second] as number) ^ 1
    await writeFile(path, bytes)
    const seen: number[] = []
    const error = await (async () => {
      for await (const { number } of readRecording(path)) seen.push(number)
    })().catch((cause) => cause)
    expect(error).toMatchObject({ code: 'torn_recording', message: expect.stringContaining(path) })
    expect(seen).toEqual([284682639])
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('{"jsonrpc":"2.0"}')],
    ['an Avro file of something else', Buffer.from(`Obj\x01\x02\x16avro.schema\x0e"bytes"\x00${'x'.repeat(16)}`, 'latin1')],
    ['a header whose sizes are nonsense', Buffer.from(`Obj\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\x7f`, 'latin1')],
  ])('%s is no recording', async (_name, bytes) => {
    const path = join(folder, 'other')
    await writeFile(path, bytes)
    expect(await refusal(path)).toMatchObject({ code: 'not_a_recording' })
  })

  test('a missing file fails with file_unreadable', async () => {
    expect(await refusal(join(folder, 'absent'))).toMatchObject({ code: 'file_unreadable', facts: { path: join(folder, 'absent') } })
  })

  test('a source that fails while it is written leaves no file, not even a partial one', async () => {
    async function* broken(): AsyncGenerator<RawFrame> {
      yield* await shipped('launches.avro')
      throw new Error('the source broke')
    }
    const empty = await mkdtemp(join(folder, 'empty-'))
    await expect(writeRecording(join(empty, 'x.avro'), broken())).rejects.toThrow('the source broke')
    expect(await readdir(empty)).toEqual([])
    await expect(writeRecording(join(empty, 'no/x.avro'), [])).rejects.toMatchObject({ code: 'file_unreadable' })
  })
})
