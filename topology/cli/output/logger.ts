// The log of a running server: JSON lines on stderr, readable ones on a terminal, secrets redacted in both.
import { type Logger, pino, stdTimeFunctions } from 'pino'
import pretty from 'pino-pretty'
import type { Settings } from '../settings/settings.ts'

/** Names whose values are never logged: at the top level, one level down, and in `headers` one level down. */
const SECRET_NAMES = ['secretKey', 'privateKey', 'password', 'token', 'authorization', 'payment-signature', 'x-payment', 'cookie']
/** URLs that may contain a key or a password: only the origin is logged. */
const URL_NAMES = ['facilitatorUrl', 'rpcUrl']

/** Codes of notices about a start, progress or a recovery. */
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

/** A logger without redaction, for lines whose fields are known to have no secrets: redaction would cost more than the rest of the line. */
export const plainLines = (logger: Logger): Logger => logger.child({}, { redact: [] })

/** Logs notices of the parts of mintfold: those in GOOD_NEWS as info, all others as warnings. */
export const noticesTo =
  (logger: Logger) =>
  (code: string, facts: Record<string, string | number>): void =>
    GOOD_NEWS.has(code) ? logger.info(facts, code) : logger.warn(facts, code)

const censored = (value: unknown, path: string[]): string => {
  const name = path.at(-1) ?? ''
  return URL_NAMES.includes(name) && typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : '[redacted]'
}
