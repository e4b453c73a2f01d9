// The log of a running server: JSON lines on stderr, readable ones on a terminal, secrets cut out of both.
import { type Logger, pino, stdTimeFunctions } from 'pino'
import pretty from 'pino-pretty'
import type { Settings } from '../settings/settings.ts'

/** Names whose values never reach a log, at the top or one level down. */
const SECRET_NAMES = ['secretKey', 'privateKey', 'password', 'token', 'authorization', 'payment-signature', 'x-payment', 'cookie']
/** Addresses that may carry a key or a password: only the origin is logged. */
const URL_NAMES = ['facilitatorUrl', 'rpcUrl']

/** Notices that something begins or is well again. */
const GOOD_NEWS = new Set([
  'history_started',
  'history_goes_on',
  'history_migrates',
  'history_rewrite_began',
  'history_rewrites',
  'history_rewritten',
  'history_schema_whole',
  'accounts_read_again',
  'chain_answers_again',
  'chain_streams_again',
  'finality_holds',
  'second_source_checks_again',
  'limits_shared_again',
  'redis_back',
  'view_goes_on',
])

const REDACTED = [...SECRET_NAMES, ...URL_NAMES].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`])

/** A logger on `stream` (stderr of the process). */
export const createLogger = (
  { logLevel, terminal }: { readonly logLevel: Settings['logLevel']; readonly terminal: boolean },
  stream: NodeJS.WritableStream = process.stderr,
): Logger => {
  const options = { level: logLevel, base: null, timestamp: stdTimeFunctions.isoTime, redact: { paths: REDACTED, censor: censored } }
  return pino(options, terminal ? pretty({ destination: stream, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }) : stream)
}

/** For lines whose facts are named one by one and are none of the above: looking through them takes longer than the rest of such a line. */
export const plainLines = (logger: Logger): Logger => logger.child({}, { redact: [] })

/** What parts of the product tell of themselves, at the level that it deserves: a warning unless it is good news. */
export const noticesTo =
  (logger: Logger) =>
  (code: string, facts: Record<string, string | number>): void =>
    GOOD_NEWS.has(code) ? logger.info(facts, code) : logger.warn(facts, code)

const censored = (value: unknown, path: string[]): string => {
  const name = path.at(-1) ?? ''
  return URL_NAMES.includes(name) && typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : '[redacted]'
}
