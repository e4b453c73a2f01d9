// All settings of the environment, parsed once: an invalid value stops the start and names the variable.
import * as z from 'zod'
import { CURSOR_KEYS_MAX } from '../../../query-api/answers/seal.ts'
import { usdcOf } from '../../../query-api/payment/terms.ts'
import { nearest } from '../../../query-api/questions/nearest.ts'
import { parseKey } from '../../../schemas/keys.ts'
import type { HistorySettings } from '../../history/engine/where.ts'
import { isLoopback } from '../../ports/loopback.ts'
import { HISTORY_DAYS, HISTORY_DAYS_MIN } from '../../sinks/retention/keep-days.ts'
import type { RetentionSettings } from '../../sinks/retention/retention-plan.ts'
import type { AltSettings, LiveSettings } from '../../sources/live-settings.ts'
import { UsageError } from '../command.ts'
import { CLICKHOUSE_VARIABLES, placeOfHistory } from './settings-clickhouse.ts'
import { SETTING_DOCS, type SettingDoc } from './settings-docs.ts'
import { EVM_VARIABLES, type EvmSettings, evmOf } from './settings-evm.ts'
import { HTTP_VARIABLES, type HttpSettings, httpOf } from './settings-http.ts'
import { KAFKA_VARIABLES, type KafkaSettings, kafkaOf } from './settings-kafka.ts'
import { altOf, LIVE_VARIABLES, liveOf } from './settings-live.ts'
import { type Role, refuseLacking, type Start } from './settings-needs.ts'
import { SHARES_VARIABLES, type SharesSettings, sharesOf } from './settings-shares.ts'
import { complaint, shownOf } from './settings-shown.ts'
import {
  API_PORT,
  baseUrl,
  DATA_DIR,
  host,
  hostNames,
  integer,
  oneOf,
  port,
  priceFactor,
  redisUrl,
  TEXT_CHARS_MAX,
  url,
} from './settings-values.ts'
import { DEMO, sourceName } from './source-name.ts'

/** How answers are paid for. */
type PaymentMode = 'sandbox' | 'facilitator' | 'off'

/** Settings required by `facilitator`. */
export interface FacilitatorSettings {
  readonly url: string
  /** Base58 wallet that receives payments. */
  readonly payTo: string
  /** CAIP-2 id. */
  readonly network: string
}

/** The validated settings. */
export interface Settings extends SharesSettings {
  readonly dataDir: string
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Public origin with path, no slash at the end; null: http://HOST:PORT of the bound port. */
  readonly baseUrl: string | null
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  readonly payments: PaymentMode
  /** Null unless `payments` is facilitator. */
  readonly facilitator: FacilitatorSettings | null
  /** Second network, accepted for compact checks if `payments` is facilitator. */
  readonly evm: EvmSettings | null
  /** The node for looking up uncertain settlements. */
  readonly rpcUrl: string | null
  /** The node from which accounts of the chain are read. */
  readonly accountsUrl: string | null
  readonly live: LiveSettings
  readonly liveAlt: AltSettings
  readonly http: HttpSettings
  /** Redis for payments and rate limits shared by several processes; null: each process has its own. */
  readonly redisUrl: string | null
  /** Multiplies every price. */
  readonly priceFactor: number
  /** Signing keys of watch cursors, newest first; null: the key in the data directory. */
  readonly cursorKeys: readonly string[] | null
  /** Null for the embedded log. */
  readonly kafka: KafkaSettings | null
  readonly clickhouse: HistorySettings
  readonly retention: RetentionSettings
}

export type Env = Readonly<Record<string, string | undefined>>

const SOLANA_MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const CURSOR_KEY_CHARS_MIN = 32

const cursorKeys = z
  .string()
  .refine((text) => isKeyList(text.split(',')), {
    error: `1 to ${CURSOR_KEYS_MAX} secrets of ${CURSOR_KEY_CHARS_MIN} to ${TEXT_CHARS_MAX} characters, comma-separated, newest first`,
  })
  .transform((text) => text.split(','))

/** The variables; `X402_RPC_URL` falls back to `SOLANA_RPC_URL`. */
const VARIABLES = z.object({
  MINTFOLD_DATA_DIR: z.string().default(DATA_DIR),
  MINTFOLD_HOST: host.default('127.0.0.1'),
  MINTFOLD_PORT: port.default(API_PORT),
  MINTFOLD_BASE_URL: baseUrl.optional(),
  ...HTTP_VARIABLES,
  MINTFOLD_LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  MINTFOLD_PAYMENTS: oneOf(['sandbox', 'facilitator', 'off']).optional(),
  ...SHARES_VARIABLES,
  ...KAFKA_VARIABLES,
  MINTFOLD_CLICKHOUSE_PORT: port.default(8403),
  MINTFOLD_CLICKHOUSE_HOSTS: hostNames.optional(),
  MINTFOLD_RAW_HOURS: integer(1, 24 * 365).default(24),
  MINTFOLD_TAPE_DAYS: integer(1, 3_650).default(7),
  MINTFOLD_HISTORY_DAYS: integer(HISTORY_DAYS_MIN, 3_650).default(HISTORY_DAYS),
  MINTFOLD_DATA_GB: integer(1, 100_000).default(250),
  ...CLICKHOUSE_VARIABLES,
  X402_FACILITATOR_URL: url.optional(),
  X402_PAY_TO: z
    .string()
    .refine((text) => parseKey(text) !== undefined, { error: 'a base58 wallet address' })
    .optional(),
  X402_NETWORK: z
    .string()
    .refine((network) => usdcOf(network) !== undefined, { error: `a CAIP-2 id of a Solana network with USDC, such as ${SOLANA_MAINNET}` })
    .default(SOLANA_MAINNET),
  X402_RPC_URL: url.optional(),
  X402_PRICE_FACTOR: priceFactor.default(1),
  ...EVM_VARIABLES,
  REDIS_URL: redisUrl.optional(),
  MINTFOLD_CURSOR_KEYS: cursorKeys.optional(),
  SOLANA_RPC_URL: url.optional(),
  ...LIVE_VARIABLES,
})
type Values = z.infer<typeof VARIABLES>
export type SettingName = keyof Values

/** Whether the source is simulated or recorded, so no real money depends on it. */
const isPlayed = (source: string): boolean => ['recording', DEMO].includes(sourceName(source)?.kind ?? '')

/**
 * Parses settings from the environment. An empty value counts as unset. With the source `demo` or `recording:PATH`
 * payments default to the sandbox. @throws UsageError naming the variable, its value unless secret, and the valid values.
 */
export const parseSettings = (env: Env, start: Start): Settings => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  refuseUnknown(Object.keys(set))
  const parsed = VARIABLES.safeParse(set)
  if (!parsed.success) throw new UsageError(parsed.error.issues.map((issue) => complaint(issue, set)).join('; '))
  const values = parsed.data
  const payments = values.MINTFOLD_PAYMENTS ?? (isPlayed(start.source) ? 'sandbox' : 'facilitator')
  refuseOpenBind(values.MINTFOLD_HOST, payments)
  refuseLacking(values, start, payments === 'facilitator')
  const kafka = kafkaOf(values)
  return {
    dataDir: values.MINTFOLD_DATA_DIR,
    host: values.MINTFOLD_HOST,
    port: values.MINTFOLD_PORT,
    baseUrl: values.MINTFOLD_BASE_URL ?? null,
    logLevel: values.MINTFOLD_LOG_LEVEL,
    payments,
    facilitator: payments === 'facilitator' ? facilitatorOf(values) : null,
    evm: evmOf(values),
    rpcUrl: values.X402_RPC_URL ?? values.SOLANA_RPC_URL ?? null,
    accountsUrl: values.SOLANA_RPC_URL ?? null,
    live: liveOf(values),
    liveAlt: altOf(values),
    http: httpOf(values),
    redisUrl: values.REDIS_URL ?? null,
    priceFactor: values.X402_PRICE_FACTOR,
    cursorKeys: values.MINTFOLD_CURSOR_KEYS ?? null,
    ...sharesOf(values, kafka !== null),
    kafka,
    retention: { rawHours: values.MINTFOLD_RAW_HOURS, tapeDays: values.MINTFOLD_TAPE_DAYS, capBytes: values.MINTFOLD_DATA_GB * 1e9 },
    clickhouse: {
      ...placeOfHistory(values),
      username: values.CLICKHOUSE_USERNAME ?? null,
      password: values.CLICKHOUSE_PASSWORD,
      database: values.CLICKHOUSE_DATABASE,
      port: values.MINTFOLD_CLICKHOUSE_PORT,
      hosts: values.MINTFOLD_CLICKHOUSE_HOSTS ?? [],
      days: values.MINTFOLD_HISTORY_DAYS,
    },
  }
}

/** For commands without an API: settings of the API's address and payments are ignored. */
export const withoutApi = ({ MINTFOLD_HOST: _host, ...env }: Env): Env => ({ ...env, MINTFOLD_PAYMENTS: 'off' })
/** As `withoutApi`, for commands that play no source either. */
export const settingsWithoutApi = (env: Env, role?: Role): Settings =>
  parseSettings(withoutApi(env), { source: 'demo', ...(role && { role }) })

/** One variable as it is set. */
export interface SettingLine {
  readonly name: string
  readonly isSet: boolean
  /** The value in effect (the default if not set), without secrets. Null: neither set nor a default. */
  readonly shown: string | null
  /** Why the value is invalid. */
  readonly problem: string | null
  readonly doc: SettingDoc
}

/** Every variable, in order; does not check conflicts between them, which `parseSettings` does. */
export const listSettings = (env: Env): readonly SettingLine[] =>
  Object.entries(VARIABLES.shape).map(([name, schema]) => {
    const value = env[name] || undefined
    const parsed = schema.safeParse(value)
    const shown = value ?? (parsed.success && parsed.data !== undefined && parsed.data !== '' ? String(parsed.data) : null)
    const problem = parsed.success ? null : `must be ${parsed.error.issues.map(({ message }) => message).join(', ')}`
    const doc = SETTING_DOCS[name as SettingName]
    return { name, isSet: value !== undefined, shown: shown === null ? null : shownOf(name, shown), problem, doc }
  })

const refuseUnknown = (names: readonly string[]): void => {
  const known = Object.keys(VARIABLES.shape)
  for (const name of names) {
    if (!/^(MINTFOLD|X402)_/.test(name) || known.includes(name)) continue
    throw new UsageError(unknownSetting(name, nearest(name, known)))
  }
}

const unknownSetting = (name: string, near: string | undefined): string =>
  `unknown setting ${name}${near === undefined ? '' : `; the nearest is ${near}`} (.env.example lists all)`

/** `refuseLacking` has ensured that both are set. */
const facilitatorOf = ({ X402_FACILITATOR_URL: url, X402_PAY_TO: payTo, X402_NETWORK: network }: Values): FacilitatorSettings | null =>
  url === undefined || payTo === undefined ? null : { url, payTo, network }

/** Free or play-money APIs must only listen on this machine. */
const refuseOpenBind = (host: string, payments: PaymentMode): void => {
  if (payments === 'facilitator' || isLoopback(host)) return
  throw new UsageError(`MINTFOLD_HOST=${JSON.stringify(host)} is wrong: with payments ${payments} it must be loopback, such as 127.0.0.1`)
}

function isKeyList(keys: readonly string[]): boolean {
  return keys.length <= CURSOR_KEYS_MAX && keys.every((key) => key.length >= CURSOR_KEY_CHARS_MIN && key.length <= TEXT_CHARS_MAX)
}
