// Opens Redis, in which several `serve` processes share payments, alerts and rate limits. Its package has hundreds of files, so it is
// loaded only if Redis is used.
import { messageOf } from '../../../schemas/errors.ts'
import type { noticesTo } from '../output/logger.ts'
import type { Closing } from '../start/closing.ts'

/** Prefix of every key of this program. */
export const REDIS_PREFIX = 'mintfold:'

const CONNECT_MS_MAX = 3_000
const RETRY_MS_MAX = 2_000
const WAITING_MAX = 10_000

const clientOf = async (url: string) => {
  const { createClient } = await import('@redis/client')
  return createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: WAITING_MAX,
    socket: { connectTimeout: CONNECT_MS_MAX, reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), RETRY_MS_MAX) },
  })
}
export type OpenRedis = Awaited<ReturnType<typeof clientOf>>

/** The client reconnects for as long as it is open; while disconnected, commands fail immediately. */
export const openRedis = async (url: string, closing: Closing, notice: ReturnType<typeof noticesTo>): Promise<OpenRedis> => {
  const client = await clientOf(url)
  let isAway = false
  client.on('error', (error: unknown) => {
    if (!isAway) notice('redis_away', { reason: messageOf(error) })
    isAway = true
  })
  client.on('ready', () => {
    if (isAway) notice('redis_back', {})
    isAway = false
  })
  const connected = client.connect().catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CONNECT_MS_MAX)
  })
  await Promise.race([connected, late])
  clearTimeout(timer)
  closing.add('redis', async () => client.destroy())
  return client
}
