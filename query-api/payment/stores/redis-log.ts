// The settlement ledger in Redis, shared by several processes: a stream with a limited number of lines.
import * as z from 'zod'
import { paymentLimits } from '../limits.ts'
import { callRedis, type RedisClient } from './redis-call.ts'
import type { SettlementLine, SettlementLog } from './settlement-log.ts'

const pageSchema = z.array(z.tuple([z.string(), z.tuple([z.string(), z.string()])]))
const PAGE_LINES = 1000

export class RedisLog implements SettlementLog {
  readonly #client: RedisClient
  readonly #key: string

  /** @param prefix the same as the book's. */
  constructor(client: RedisClient, prefix: string) {
    this.#client = client
    this.#key = `${prefix}{payments}:settlements`
  }

  async append(line: SettlementLine): Promise<void> {
    const limit = ['MAXLEN', '~', String(paymentLimits.linesMax)]
    await callRedis(this.#client, ['XADD', this.#key, ...limit, '*', 'line', JSON.stringify(line)])
  }

  async *lines(): AsyncIterable<SettlementLine> {
    let from = '-'
    for (;;) {
      const page = pageSchema.parse(await callRedis(this.#client, ['XRANGE', this.#key, from, '+', 'COUNT', String(PAGE_LINES)]))
      for (const [, [, line]] of page) yield JSON.parse(line) as SettlementLine
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE_LINES) return
      from = `(${last[0]}`
    }
  }
}
