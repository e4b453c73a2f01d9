// The log of a running server: JSON lines on stderr, short ones for people on a terminal, secrets redacted in both.
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
  return pino(
    options,
    terminal
      ? shortLines(pretty({ destination: stream, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true }))
      : stream,
  )
}

/** Message of the line that the API logs for each request; its facts are those of `access`. */
const REQUEST = 'request'
/** Routes that programs call; the others are the page, which calls the server again every few seconds. */
const OF_PROGRAMS = /^(\/v1\/|\/mcp$|unmatched$)/

/** For people: one short line for each request of a program, none for those of the page unless they fail. */
const shortLines = (out: NodeJS.WritableStream): { write(line: string): void } => ({
  write: (line) => {
    const { level, time, msg, method, route, status, ms } = JSON.parse(line) as Readonly<Record<string, string | number>>
    if (msg !== REQUEST) out.write(line)
    else if (OF_PROGRAMS.test(String(route)) || Number(status) >= 400)
      out.write(`${JSON.stringify({ level, time, msg: `${method} ${route} ${status} ${Math.round(Number(ms))} ms` })}\n`)
  },
})

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
