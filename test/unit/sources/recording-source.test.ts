// The progress that a recording reports as a source.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RawFrame } from '../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { RecordingSource } from '../../../topology/sources/recording/recording.ts'
import { readRecording, writeRecording } from '../../../topology/sources/recording/recording-file.ts'

const LAUNCHES = fileURLToPath(new URL('../../recordings/launches.avro', import.meta.url))
const inParts = (frame: RawFrame): RawFrame[] => {
  const body = Buffer.from(frame.body)
  return [0, 1, 2].map((part) => ({ ...frame, part, parts: 3, body: body.subarray(part * 10, part === 2 ? undefined : part * 10 + 10) }))
}

test('counts whole frames, not the parts of large ones, over all starts', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-source-'))
  try {
    const path = join(dir, 'parts.avro')
    const frames: RawFrame[] = []
    for await (const frame of readRecording(LAUNCHES)) frames.push(...(frames.length === 0 ? [frame] : inParts(frame)))
    await writeRecording(path, frames)
    const log = createMemoryLog({ partitions: 1 })
    const play = async (framesMax?: number): Promise<number> => {
      const [chain, stop] = [LAUNCH_RISK.chain.name, new AbortController().signal]
      const options = { chain, path, speed: 'max', wall: Date.now, stop, ...(framesMax && { framesMax }) } as const
      const source = new RecordingSource(log, LAUNCH_RISK.sources.recording.writes.raw, options)
      await source.open()
      await source.run()
      return source.frames
    }
    expect([await play(2), await play(4), await play(), await play()]).toEqual([2, 4, 5, 5])
  } finally {
    rmSync(dir, { recursive: true })
  }
})
