// The progress of a long start.
import type { Preparing } from '../../ports/chain-view.ts'
import type { StartProgress } from '../../sources/source.ts'
import type { Io } from '../command.ts'

const AGAIN = 'the market is simulated again up to where it stopped'

/** Clamped to 0 to 1. */
export const shareOf = (atS: number, ofS: number): number => (ofS === 0 ? 0 : Math.min(1, Math.max(0, atS / ofS)))

/**
 * Reports the progress: every step to `changed`, and a line for every 10 % of the history that is written. For the part that was written
 * before a stop and is only simulated again, it prints one line in all.
 */
export const preparing = (io: Pick<Io, 'printNotice'>, changed: (work: Preparing) => void = () => {}): StartProgress => {
  let printed = 0
  return ({ atS, ofS, isNew }) => {
    const share = shareOf(atS, ofS)
    const what = isNew ? `${Math.round(ofS / 3_600)} h of history before the live part are written` : AGAIN
    if (ofS > 0) changed({ what, share })
    const tenths = Math.floor(share * 10)
    if (tenths <= printed) return
    if (!isNew && printed === 0) io.printNotice(`continues: ${AGAIN}; nothing is written twice`)
    printed = tenths
    if (isNew) io.printNotice(`history: ${tenths * 10} % of ${Math.round(ofS / 3_600)} h written`)
  }
}
