// Redis commands and scripts with a timeout and a named error.
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { paymentLimits } from '../limits.ts'

/** The used part of a client, such as that of `@redis/client`. Its opener closes it. */
export interface RedisClient {
  readonly isReady: boolean
  sendCommand(words: readonly string[]): Promise<unknown>
}

const away = (reason: string, cause?: unknown): EngineError =>
  new EngineError('redis_away', `Redis does not respond (${reason}): start it, or check REDIS_URL.`, { retriable: true, cause })

/** A failed command may have been executed. @throws EngineError `redis_away` */
export const callRedis = async (client: RedisClient, words: readonly string[]): Promise<unknown> => {
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

/** Runs a script atomically. */
export const runScript = (
  client: RedisClient,
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> => callRedis(client, ['EVAL', script, String(keys.length), ...keys, ...args.map(String)])
