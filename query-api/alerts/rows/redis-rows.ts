// Alerts in Redis, shared by several processes: one hash per table. The process that owns the lease delivers; each write checks the owner,
// which fences a process whose lease has expired.
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { callRedis, type RedisClient, runScript } from '../../payment/stores/redis-call.ts'
import { alertLimits } from '../limits.ts'
import { ALERT_TABLES, type AlertLease, type AlertRows, type AlertTable, type AlertTables, type Change } from './alert-rows.ts'

export interface RedisRowsOptions {
  readonly client: RedisClient
  /** Prefix of all keys, for several installations on one Redis. */
  readonly prefix: string
  readonly leaseMs?: number
}

/** Rows per script call, far below the number of arguments that Redis accepts. */
const ROWS_AT_ONCE = 1_000
const pageSchema = z.tuple([z.string(), z.array(z.string())])
const SCAN_ROWS = '1000'

/** Keys: table, version. Arguments: row, value. */
const ADD = `
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('INCR', KEYS[2])
return 1`

/** Keys: lease. Arguments: owner, lease ms. */
const ACQUIRE = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`
const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`

/** Keys: lease, then the tables. Arguments: owner, lease ms, then per row: number of its table, key, value (empty: delete the row). */
const WRITE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
for n = 3, #ARGV, 3 do
  local table = KEYS[1 + tonumber(ARGV[n])]
  if ARGV[n + 2] == '' then redis.call('HDEL', table, ARGV[n + 1]) else redis.call('HSET', table, ARGV[n + 1], ARGV[n + 2]) end
end
return 1`

export class RedisRows implements AlertRows {
  readonly #client: RedisClient
  readonly #root: string
  readonly #leaseMs: number

  constructor({ client, prefix, leaseMs = alertLimits.leaseMs }: RedisRowsOptions) {
    this.#client = client
    this.#root = `${prefix}{alerts}:`
    this.#leaseMs = leaseMs
  }

  async all<Table extends AlertTable>(table: Table): Promise<ReadonlyMap<string, AlertTables[Table]>> {
    const rows = new Map<string, AlertTables[Table]>()
    let from = '0'
    do {
      const reply = await callRedis(this.#client, ['HSCAN', this.#key(table), from, 'COUNT', SCAN_ROWS])
      const [next, pairs] = pageSchema.parse(reply)
      for (let n = 0; n + 1 < pairs.length; n += 2) rows.set(String(pairs[n]), JSON.parse(String(pairs[n + 1])) as AlertTables[Table])
      from = next
    } while (from !== '0')
    return rows
  }

  async add<Table extends 'subscriptions' | 'cancelled'>(table: Table, key: string, value: AlertTables[Table]): Promise<boolean> {
    return (await runScript(this.#client, ADD, [this.#key(table), this.#key('version')], [key, JSON.stringify(value)])) === 1
  }

  async version(): Promise<string> {
    return String((await callRedis(this.#client, ['GET', this.#key('version')])) ?? '')
  }

  async acquireLease(): Promise<AlertLease | null> {
    const owner = randomUUID()
    const keys = [this.#key('lease')]
    if ((await runScript(this.#client, ACQUIRE, keys, [owner, this.#leaseMs])) !== 1) return null
    return {
      write: (changes) => this.#write(owner, changes),
      renew: async () => (await runScript(this.#client, RENEW, keys, [owner, this.#leaseMs])) === 1,
      release: () => runScript(this.#client, RELEASE, keys, [owner]).then(ignored, ignored),
    }
  }

  async #write(owner: string, changes: readonly Change[]): Promise<boolean> {
    const keys = [this.#key('lease'), ...ALERT_TABLES.map((table) => this.#key(table))]
    for (let from = 0; from < changes.length; from += ROWS_AT_ONCE) {
      const rows = changes.slice(from, from + ROWS_AT_ONCE).flatMap(([table, key, value]) => {
        return [ALERT_TABLES.indexOf(table) + 1, key, value === null ? '' : JSON.stringify(value)]
      })
      if ((await runScript(this.#client, WRITE, keys, [owner, this.#leaseMs, ...rows])) !== 1) return false
    }
    return true
  }

  #key(name: string): string {
    return `${this.#root}${name}`
  }
}

const ignored = (): void => undefined
