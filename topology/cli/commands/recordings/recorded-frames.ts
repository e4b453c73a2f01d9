// Frames on their way into a recording, counted and shown.
import type { RawFrame } from '../../../../schemas/types.ts'
import type { Io } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'

/** `counts.frames` becomes the whole frames that came; `shareOf` gives the share of all that is done, where it is known. */
export async function* counted(
  items: AsyncIterable<RawFrame>,
  counts: { frames: number },
  shareOf: (frames: number) => number | undefined,
  io: Io,
): AsyncIterable<RawFrame> {
  const progress = showProgress(io, { what: 'records', unit: 'frames' })
  try {
    for await (const frame of items) {
      if (frame.part === frame.parts - 1) counts.frames++
      progress.at(counts.frames, shareOf(counts.frames))
      yield frame
    }
  } finally {
    progress.hide()
  }
}
