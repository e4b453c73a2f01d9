// What alerts are made from.
import type { Clock } from '../../topology/ports/chain-view.ts'
import type { MintView } from '../../topology/ports/mint-view.ts'
import type { Notice } from '../../topology/ports/notice.ts'
import type { OddsFeed, OddsView } from '../../topology/ports/odds.ts'
import type { MessageGround } from './messages.ts'
import type { AlertRows } from './rows/alert-rows.ts'
import type { Resolve } from './target/resolving.ts'
import type { TargetRules } from './target/target-url.ts'

export interface AlertGround {
  readonly rows: AlertRows
  readonly view: Pick<MintView, 'get' | 'status' | 'finality' | 'flagsSince' | 'retractedFlags'>
  /** Stream time: of terms. */
  readonly clock: Clock
  /** Of retries. */
  readonly wallClock: Clock
  /** Absent: no odds are known here, and none are sold. */
  readonly odds?: Pick<OddsView, 'standing'>
  readonly feed?: OddsFeed
  readonly message: MessageGround
  readonly rules: TargetRules
  readonly resolve: Resolve
  /** Bytes that nobody can guess; absent: those of the machine. */
  readonly random?: (bytes: number) => Buffer
  /** Told of alerts that were given up and of a store that fails: never an address. */
  readonly notice: Notice
}

const MS = 1_000

/** Stream time, unix seconds; the wall's before the stream has begun. */
export const streamNowS = ({ clock, wallClock }: Pick<AlertGround, 'clock' | 'wallClock'>): number => {
  const streamMs = clock.now()
  return Math.floor((streamMs > 0 ? streamMs : wallClock.now()) / MS)
}
