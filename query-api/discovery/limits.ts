// The limits of callers for `/v1/labels`.
import type { RateLimits } from '../answers/service.ts'
import { SHARE_OF_48 } from '../http/caller-address.ts'
import { HEADER_BYTES_MAX } from '../http/http-limits.ts'
import { UNVERIFIABLE_PER_MINUTE } from '../http/rates.ts'
import { IN_FLIGHT_PER_CALLER_MAX } from '../middleware/in-flight.ts'
import { BODY_BYTES_MAX, URL_CHARS_MAX } from '../middleware/limits.ts'
import { MCP_PATH } from '../questions/limits.ts'
import { STREAMS_PER_CALLER_MAX } from '../stream/mount.ts'

/** Budgets with a base URL of 40 characters, bytes: agents give these documents to their models. */
export const documentBytesMax = { openApi: 120_000, labels: 60_000, tools: 16_000 } as const

const COUNTED = {
  memory: 'each process counts separately',
  redis: 'all processes count together; while their store is not available, each counts separately',
} as const

const aMinute = (what: string, most: number | undefined) => ({
  [`${what}_per_minute`]: most ?? null,
  ...(most === undefined && { [`${what}_per_minute_reason`]: 'this server has no such limit' }),
})

export const limitsPart = (rates: RateLimits | undefined) => ({
  ...aMinute('requests', rates?.perMinute),
  ...aMinute('payments', rates?.paidPerMinute),
  ...aMinute('retries', rates?.retriesPerMinute),
  counted:
    `requests per caller address (IPv6: per /64, and ${SHARE_OF_48} times as many per /48), payments per payer once they are verified; retries of known ` +
    'payments separately, per caller address ' +
    `(429 with charged: null); new payments of EVM contract wallets, which only the facilitator can verify: ${UNVERIFIABLE_PER_MINUTE} per minute and ` +
    `caller address; /ready is not counted. ${MCP_PATH} counts HTTP requests`,
  ...(rates && { shared: COUNTED[rates.isAlone ? 'redis' : rates.place] }),
  over_the_limit:
    '429 with Retry-After and charged: false; charged is null if the request had a payment, which was not read. Sold answers remain available',
  requests_at_a_time: IN_FLIGHT_PER_CALLER_MAX,
  streams_at_a_time: STREAMS_PER_CALLER_MAX,
  url_chars: URL_CHARS_MAX,
  header_bytes: HEADER_BYTES_MAX,
  body_bytes: BODY_BYTES_MAX,
})
