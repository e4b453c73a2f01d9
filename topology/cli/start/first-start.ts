// The first start of the demo: shows an early capture as soon as it is live; the full one, whose history is written meanwhile, takes
// over once it is live too.
import { LAUNCH_RISK } from '../../launch-risk.ts'
import type { Preparing } from '../../ports/chain-view.ts'
import type { Notice } from '../../ports/notice.ts'
import type { Line } from '../../sources/source.ts'
import { inputsOf } from '../../topology.ts'
import type { Capture, Front } from '../../views/front.ts'
import type { LogMintView } from '../../views/mint-view.ts'
import type { Io } from '../command.ts'
import { shareOf } from '../output/preparing.ts'
import type { Settings } from '../settings/settings.ts'
import type { EndOptions } from '../settings/source-options.ts'
import type { OpenLog } from '../wiring/open-log.ts'
import type { GivenSource } from '../wiring/open-source.ts'
import type { Closing } from './closing.ts'
import { beginEarly, EARLY_S, type Early, near, wantsEarly } from './early.ts'
import { mintPaths, suggest } from './play.ts'

/** The work that a start still has to do; null when done. */
export interface Starts {
  work: Preparing | null
}

const SIMULATED = 'the market is being simulated up to now'

interface EarlyGround {
  readonly opened: OpenLog
  readonly given: Omit<GivenSource, 'chain'> & { readonly options: EndOptions }
  readonly settings: Settings
  readonly notice: Notice
  readonly stop: AbortSignal
  readonly starts: Starts
}

/** An early capture that is starting in the background. */
export interface BeginningEarly {
  readonly begun: Promise<Early>
  /** Resolves to true once its feed is live, to false if the command was stopped before. */
  readonly isLive: Promise<boolean>
}

/** Null if the log already has frames, or if no long work precedes the first frame. */
export const earlyOf = ({ opened, given, settings, notice, stop, starts }: EarlyGround, closing: Closing): BeginningEarly | null => {
  const { embedded } = opened
  if (embedded === null || !wantsEarly(given.options, Date.now()) || embedded.end(inputsOf(LAUNCH_RISK).raw, 0) > 0) return null
  starts.work = { what: SIMULATED, share: null }
  const begun = beginEarly({
    ...{ given: { ...given, chain: LAUNCH_RISK.chain.name }, notice, stop, dataDir: settings.dataDir },
    progress: ({ atS, ofS }) => {
      starts.work = { what: SIMULATED, share: shareOf(atS, ofS) }
    },
  })
  closing.add('early capture', async () => (await begun.catch(() => undefined))?.end())
  const isLive = begun.then((early) => early.live).then(() => !stop.aborted)
  isLive.catch(() => {})
  return { begun, isLive }
}

interface Showing {
  readonly front: Front
  readonly settings: Settings
  readonly io: Io
  readonly url: string
  /** The line with the API's address. */
  readonly answers: string
  /** The description of the source. */
  readonly words: string
}

/** Shows the early capture, and prints suggestions once it is live; returns the anchor of its clock. */
export const showEarly = async (
  { begun, isLive }: BeginningEarly,
  { front, answers, words, ...suggested }: Showing,
): Promise<Line | null> => {
  const early = await begun
  front.show(early)
  if (!(await isLive)) return null
  suggested.io.printNotice(answers)
  suggested.io.printNotice(
    `plays ${words}; cards of the newest ${EARLY_S / 60} minutes can be bought now, SQL has the history as it is written`,
  )
  suggest({ ...suggested, suggested: () => mintPaths(early.view) })
  return early.line() ?? null
}

interface HandingOver {
  readonly full: Capture & { readonly view: LogMintView; readonly clock: Parameters<typeof near>[1] }
  readonly front: Front
  readonly io: Io
  readonly starts: Starts
  readonly stop: AbortSignal
}

/** Shows the full capture once it is live, and ends the early capture. Rejects if the early capture fails meanwhile. */
export const handOver = async ({ begun }: BeginningEarly, { full, front, io, starts, stop }: HandingOver): Promise<void> => {
  const early = await begun
  await Promise.race([near(full.view, full.clock, stop), early.done])
  if (stop.aborted) return
  front.show(full)
  starts.work = null
  io.printNotice('the whole history can be queried now')
  await early.end()
}
