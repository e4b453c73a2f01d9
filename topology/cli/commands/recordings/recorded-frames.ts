// Counts frames on their way into a recording and shows progress.
import type { RawFrame } from '../../../../schemas/types.ts'
import type { Io } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'

/** Sets `counts.frames` to the whole frames seen; `shareOf` gives the done share, if known. */
export async function* counted(
  items: AsyncIterable<RawFrame>,
  counts: { frames: number },
  shareOf: (frames: number) => number | undefined,
  io: Io,
): AsyncIterable<RawFrame> {
  const progress = showProgress(io, { what: 'recording', unit: 'frames' })
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
