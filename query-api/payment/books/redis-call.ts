// Redis as the payments use it: commands that answer in time or fail by name.
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { paymentLimits } from '../limits.ts'

/** What is needed of a client; that of `@redis/client` is one. Who opened it closes it. */
export interface RedisClient {
  readonly isReady: boolean
  sendCommand(words: readonly string[]): Promise<unknown>
}

const away = (reason: string, cause?: unknown): EngineError =>
  new EngineError('redis_away', `Redis does not answer (${reason}): start it, or check REDIS_URL.`, { retriable: true, cause })

/** What was asked may have been done although it fails. @throws EngineError `redis_away` */
export const askRedis = async (client: RedisClient, words: readonly string[]): Promise<unknown> => {
  if (!client.isReady) throw away('no connection')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${paymentLimits.storeTimeoutMs} ms`)), paymentLimits.storeTimeoutMs)
  })
  try {
    return await Promise.race([client.sendCommand(words), late])
  } catch (cause) {
    throw away(messageOf(cause), cause)
  } finally {
    clearTimeout(timer)
  }
}

/** Runs a script: all of it or nothing, and nothing of another process between. */
export const runScript = (
  client: RedisClient,
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> => askRedis(client, ['EVAL', script, String(keys.length), ...keys, ...args.map(String)])
