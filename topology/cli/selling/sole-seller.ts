// Without Redis each process has its own store of payments: the same payment sent to two sellers of one wallet would be answered
// twice and charged once. So only one process sells at a time, elected by a consumer group per wallet.
import { type Answer, refusedUnread } from '../../../query-api/questions/bodies.ts'
import { EngineError } from '../../../schemas/errors.ts'
import type { Assignment } from '../../ports/assignment.ts'
import { pause } from '../../waiting/waiting.ts'

/** The process assigned this partition sells. */
const PLACE = 'sales/0'
/** A dead seller is detected after 6 s, and the group rebalances within 3 s more. */
const CLAIM_MS_MAX = 12_000
const POLL_MS = 50
const RETRY_AFTER_S = 5

/** Called before a payment is settled: null admits it, else the response to send instead. */
type Admit = (payer: string) => Promise<Answer | null>

export interface Sales {
  /** Refuses payments while another process sells. */
  admit(inner: Admit): Admit
  stop(): Promise<void>
}

/**
 * Resolves once this process is the seller of the wallet.
 * @throws EngineError `seller_elsewhere` if another process keeps selling; any failure of the group
 */
export const claimSales = async (wallet: string, group: Assignment, claimMsMax = CLAIM_MS_MAX): Promise<Sales> => {
  let isOurs = false
  await group.start([PLACE], async (mine) => {
    isOurs = mine.has(PLACE)
  })
  const untilMs = performance.now() + claimMsMax
  while (!isOurs && performance.now() < untilMs) await pause(POLL_MS)
  if (!isOurs) {
    await group.stop()
    throw new EngineError(
      'seller_elsewhere',
      `another process takes payments to ${wallet} without REDIS_URL: set REDIS_URL for all of them, or stop the other process`,
      { facts: { wallet } },
    )
  }
  return {
    admit: (inner) => (payer) => (isOurs ? inner(payer) : Promise.resolve(ELSEWHERE)),
    stop: () => group.stop(),
  }
}

const ELSEWHERE = refusedUnread(
  503,
  'seller_elsewhere',
  'another process takes payments to this wallet now, and the two do not share their payments: send the request to that process',
  RETRY_AFTER_S,
)
