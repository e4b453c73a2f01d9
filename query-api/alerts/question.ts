// `/v1/alerts/webhook`: alerts for 30 days, pushed to a webhook or a chat.
import type { AlertReceipt } from '../answers/alert-sales.ts'
import type { RequestContext } from '../answers/question.ts'
import { enveloped, newest } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import { type Answer, type ProblemDetail, refusedForNow } from '../questions/bodies.ts'
import { type InputOf, number, optionalText, type Param, type ParamResult } from '../questions/params.ts'
import { ALERT_KINDS, type AlertKind, TARGET_KINDS } from './alert.ts'
import { alertLimits } from './limits.ts'

const MIN_ODDS = 0.5
const KINDS_PATTERN = `^(${ALERT_KINDS.join('|')})(,(${ALERT_KINDS.join('|')}))*$`
const TARGET_PATTERN = `^(${TARGET_KINDS.join('|')})$`
const CHAT_ID = /^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/
const BOT_TOKEN = /^\d{3,20}:[\w-]{20,80}$/
const RETRY_AFTER_S = 60

const wrong = (type: string, msg: string): { readonly ok: false; readonly problem: { readonly type: string; readonly msg: string } } => ({
  ok: false,
  problem: { type, msg },
})

const kinds: Param<readonly AlertKind[]> = {
  schema: {
    type: 'string',
    pattern: KINDS_PATTERN,
    description:
      'Kinds of alerts, comma-separated: graduation_odds (the logged odds of true graduation of a mint first reach min_odds), rug_flags (confirmed flags).',
  },
  parse: (text): ParamResult<readonly AlertKind[]> => {
    const words = text.split(',')
    const known = ALERT_KINDS.filter((kind) => words.includes(kind))
    return known.length === words.length
      ? { ok: true, value: known }
      : wrong('string_pattern_mismatch', `Input should be ${ALERT_KINDS.join(' or ')}, or both with a comma between them`)
  },
}

const target: Param<(typeof TARGET_KINDS)[number]> = {
  schema: {
    type: 'string',
    pattern: TARGET_PATTERN,
    description:
      'Format of the messages: discord (a webhook, needs url), telegram (a bot, needs chat_id and bot_token), generic (JSON, needs url).',
  },
  parse: (text) => {
    const value = TARGET_KINDS.find((kind) => kind === text)
    return value === undefined ? wrong('string_pattern_mismatch', `Input should be ${TARGET_KINDS.join(', ')}`) : { ok: true, value }
  },
}

const secret = (param: Param<string | null>, form?: readonly [form: RegExp, words: string]): Param<string | null> => ({
  ...param,
  isSecret: true,
  parse: (text) => {
    const result = param.parse(text)
    if (!result.ok || form === undefined || form[0].test(text)) return result
    return wrong('string_pattern_mismatch', form[1])
  },
})

export const alertParams = {
  kinds,
  target,
  url: secret(
    optionalText({
      charsMax: alertLimits.urlCharsMax,
      doc: 'Webhook URL for discord and generic, percent-encoded: https, a public host. Never shown.',
    }),
  ),
  chat_id: secret(optionalText({ charsMax: 64, doc: 'Chat for telegram: its number, or @name of a channel. Never shown.' }), [
    CHAT_ID,
    'Input should be the number of a chat, or @ and the name of a channel',
  ]),
  bot_token: secret(optionalText({ charsMax: 128, doc: 'Token of the Telegram bot that sends the messages. Never shown.' }), [
    BOT_TOKEN,
    'Input should be the token of a bot: digits, a colon, and letters',
  ]),
  min_odds: number({
    min: 0,
    max: 1,
    fallback: MIN_ODDS,
    doc: 'Minimum odds of true graduation for an alert, 0 to 1. Not used by rug_flags.',
  }),
}
type Input = InputOf<typeof alertParams>

const NEEDED = { discord: ['url'], generic: ['url'], telegram: ['chat_id', 'bot_token'] } as const
const PLACES = ['url', 'chat_id', 'bot_token'] as const

/** The problems of target fields that are missing, and of those that this kind of target does not use. */
export const checkAlert = (input: Input): readonly ProblemDetail[] => {
  const needed: readonly string[] = NEEDED[input.target]
  return PLACES.flatMap((name): readonly ProblemDetail[] => {
    const isGiven = input[name] !== null
    if (isGiven === needed.includes(name)) return []
    const loc = ['query', name]
    if (isGiven)
      return [{ type: 'extra_forbidden', loc, msg: `target=${input.target} needs ${needed.join(' and ')}, not ${name}`, input: null }]
    return [{ type: 'missing', loc, msg: `Field required by target=${input.target}`, input: null }]
  })
}

const NONE = refusedForNow(503, 'alerts_unavailable', 'this service does not sell alerts; GET / lists all routes', RETRY_AFTER_S)

/** Refuses while this subscription cannot be sold. */
export const alertPrecheck = (input: Input, { service, instant }: RequestContext): Promise<Answer | null> | Answer =>
  service.options.alerts?.refusalOf(input, instant.moment.asOf) ?? NONE

/** Called once the payment is verified, and before it is settled. */
export const answerAlert = async (input: Input, ask: RequestContext): Promise<Answer> => {
  const { alerts } = ask.service.options
  if (alerts === undefined) return NONE
  const refusal = await alerts.unprovenRefusal(input)
  if (refusal !== null) return refusal
  const instant = newest(ask)
  return enveloped({ ...ask, instant }, { coverage: 'full', data: JSON.stringify(alerts.receipt(input, instant.moment.asOf)) })
}

/** Idempotent: does nothing if the subscription was started before. */
export const beginAlert = async (input: Input, { options: { alerts } }: Service, body: string): Promise<void> => {
  const { data } = JSON.parse(body) as { readonly data: AlertReceipt }
  await alerts?.begin(input, data)
}
