// The progress of a long start.
import type { Preparing } from '../../ports/chain-view.ts'
import type { StartProgress } from '../../sources/source.ts'
import type { Io } from '../command.ts'

/** Clamped to 0 to 1. */
export const shareOf = (atS: number, ofS: number): number => (ofS === 0 ? 0 : Math.min(1, Math.max(0, atS / ofS)))

/** Reports how much of the history is written: each step to `changed`, and a line every 10 %. */
export const preparing = (io: Pick<Io, 'printNotice'>, changed: (work: Preparing) => void = () => {}): StartProgress => {
  let printed = 0
  return ({ atS, ofS }) => {
    const share = shareOf(atS, ofS)
    if (ofS > 0) changed({ what: `${Math.round(ofS / 3_600)} h of history before the live part are written`, share })
    const tenths = Math.floor(share * 10)
    if (tenths <= printed) return
    printed = tenths
    io.printNotice(`history: ${tenths * 10} % of ${Math.round(ofS / 3_600)} h written`)
  }
}
