// Without Redis each process remembers its own payments: of several that sell to one wallet, the same payment sent to two at once would be
// answered twice and charged once. So there is one at a time, agreed in a consumer group of the wallet's own.
import { type Answer, refusedUnread } from '../../../query-api/questions/bodies.ts'
import { EngineError } from '../../../schemas/errors.ts'
import type { Assignment } from '../../ports/assignment.ts'
import { pause } from '../../waiting/waiting.ts'

/** Who has it sells. */
const PLACE = 'sales/0'
/** A seller that died is missed after 6 s, and the group agrees within 3 s more. */
const CLAIM_MS_MAX = 12_000
const POLL_MS = 50
const RETRY_AFTER_S = 5

/** What a gate asks before a payment is settled: null, or what is answered instead. */
type Admit = (payer: string) => Promise<Answer | null>

export interface Sales {
  /** Refuses payments while another process sells. */
  admit(inner: Admit): Admit
  stop(): Promise<void>
}

/**
 * Resolves once this process is the one that sells to the wallet.
 * @throws EngineError `seller_elsewhere` when another goes on selling; whatever the group fails with
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
      `another process sells to ${wallet} without REDIS_URL: set REDIS_URL for all of them, or stop the other one`,
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
  'another process sells to this wallet now, and the two share no memory of payments: ask that one',
  RETRY_AFTER_S,
)
