// Writes a recording long enough to be killed in: recorded frames repeated under new slots. The bytes are the chain's; slots and times are
// made up.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { RawFrame } from '../../schemas/types.ts'
import { readRecording, writeRecording } from '../../topology/sources/recording/recording-file.ts'

const SOURCES = ['launches', 'transactions', 'blocks'].map((name) => fileURLToPath(new URL(`../recordings/${name}.avro`, import.meta.url)))
const FIRST_SLOT = 500_000_000
const FIRST_TIME = 1_800_000_000
/** Stream seconds between frames: mints' inactivity timers expire within the recording. */
export const STEP_S = 10

/** Writes `frames` frames to `path`. Coins repeat, so their reserves do not follow from one trade to the next. */
export const writeLongRecording = async (path: string, frames: number): Promise<void> => {
  const recorded: RawFrame[] = []
  for (const source of SOURCES) for await (const frame of readRecording(source)) recorded.push(frame)
  const again = function* (): Iterable<RawFrame> {
    for (let i = 0; i < frames; i++) {
      const hash = createHash('sha256').update(`frame ${i}`).digest('hex')
      const parent = createHash('sha256')
        .update(`frame ${i - 1}`)
        .digest('hex')
      const links = {
        number: FIRST_SLOT + i,
        hash,
        parentNumber: FIRST_SLOT + i - 1,
        parentHash: parent,
        blockTime: FIRST_TIME + i * STEP_S,
      }
      yield { ...(recorded[i % recorded.length] as RawFrame), ...links, whole: true, placed: true, vouched: true }
    }
  }
  await writeRecording(path, again())
}
