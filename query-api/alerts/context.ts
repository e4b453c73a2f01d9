// What alerts depend on: rows, views, clocks, DNS, notices.
import type { Clock, StreamClock } from '../../topology/ports/chain-view.ts'
import type { MintView } from '../../topology/ports/mint-view.ts'
import type { Notice } from '../../topology/ports/notice.ts'
import type { OddsFeed, OddsView } from '../../topology/ports/odds.ts'
import type { MessageContext } from './messages.ts'
import type { AlertRows } from './rows/alert-rows.ts'
import type { Resolve } from './target/resolving.ts'
import type { Sender } from './target/sender.ts'
import type { TargetRules } from './target/target-url.ts'

export interface AlertContext {
  readonly rows: AlertRows
  readonly view: Pick<MintView, 'get' | 'status' | 'finality' | 'flagsSince' | 'retractedFlags'>
  /** Stream time, for terms. */
  readonly clock: StreamClock
  /** Wall time, for retries. */
  readonly wallClock: Clock
  /** Absent: this service has no odds, and sells only alerts about flags. */
  readonly odds?: Pick<OddsView, 'headState'>
  readonly feed?: OddsFeed
  readonly message: MessageContext
  readonly rules: TargetRules
  readonly resolve: Resolve
  /** Opens what sends to targets; the service closes it at its end. */
  readonly openSender: () => Sender
  /** Counts a challenge to a host. Whole seconds until one may be sent, 0 if now; never rejects. */
  readonly challengeWaitS: (host: string) => Promise<number>
  /** Cryptographically random bytes; absent: those of the system. */
  readonly random?: (bytes: number) => Buffer
  /** Reports abandoned alerts and store failures, without target addresses. */
  readonly notice: Notice
}

const MS = 1_000

/** Stream time, unix seconds; null while it is not known: then no term begins or ends. */
export const streamNowS = ({ clock }: Pick<AlertContext, 'clock'>): number | null => {
  const nowMs = clock.now()
  return nowMs === null ? null : Math.floor(nowMs / MS)
}
