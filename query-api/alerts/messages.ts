// Renders alerts as JSON or chat messages. Token names are untrusted: cleaned, truncated and never markup.
import { createHmac } from 'node:crypto'
import { UNTRUSTED_TEXT_NOTE } from '../answers/service.ts'
import type { AlertTarget, Delivery, Subscription } from './alert.ts'

export const SIGNATURE_HEADER = 'X-Mintfold-Signature'
export const TIMESTAMP_HEADER = 'X-Mintfold-Timestamp'
export const STAMPED_HEADER = 'X-Mintfold-Signature-Stamped'

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface MessageContext {
  /** Public origin of this service, without trailing slash. */
  readonly baseUrl: string
  /** Origin of Telegram's bot API. */
  readonly telegram: string
}

export const USER_AGENT = 'mintfold-alerts'
const TELEGRAM = 'https://api.telegram.org'
export const messageContextOf = (baseUrl: string): MessageContext => ({ baseUrl, telegram: TELEGRAM })

const PERCENT = 100
const DECIMALS = 1

/** Body of a generic webhook. */
const alertOf = ({ id, kind, t, mint, name, symbol, odds, flag, findingId }: SentAlert, { baseUrl }: MessageContext): object => ({
  ...{ id, kind, t, mint, name, symbol, odds, card_url: cardUrl(mint, baseUrl) },
  ...(flag !== null && { flag, finding_id: findingId, evidence_url: `${baseUrl}/v1/evidence/${encodeURIComponent(findingId ?? '')}` }),
  untrusted_text_note: UNTRUSTED_TEXT_NOTE,
})
type SentAlert = Omit<Delivery, 'kind'> & { readonly kind: Delivery['kind'] | 'test' }

const cardUrl = (mint: string, baseUrl: string): string => `${baseUrl}/v1/mint/${mint}`

/** Plain text: the event, the URL of the card, and a disclaimer. */
const chatTextOf = (sent: SentAlert, context: MessageContext): string => {
  const { name, symbol, mint, odds, flag, kind } = sent
  const token = `${name ?? 'unnamed token'} (${symbol ?? 'no symbol'}) ${mint}`
  const what =
    kind === 'test'
      ? 'test alert without a real event'
      : flag === null
        ? `odds of graduation ${((odds ?? 0) * PERCENT).toFixed(DECIMALS)} %`
        : `flag ${flag}`
  return `mintfold: ${what}: ${token}\n${cardUrl(mint, context.baseUrl)}\nObserved evidence, not advice. Names are written by token creators.`
}

const FORMATTING = /[\\`*_~|>#[\]()<:@-]/g
/** Escapes Discord's Markdown: a name cannot contain formatting, links or mentions. */
const escaped = (text: string): string => text.replace(FORMATTING, '\\$&')

const bodyOf = (target: AlertTarget, sent: SentAlert, context: MessageContext): object => {
  const clean = { ...sent, name: sent.name && escaped(sent.name), symbol: sent.symbol && escaped(sent.symbol) }
  switch (target.kind) {
    case 'discord':
      return { content: chatTextOf(clean, context), allowed_mentions: { parse: [] } }
    case 'telegram':
      return { chat_id: target.chatId, text: chatTextOf(sent, context), link_preview_options: { is_disabled: true } }
    case 'generic':
      return alertOf(sent, context)
  }
}

/** Hex HMAC-SHA256 under the secret. */
const signatureOf = (secret: string, text: string): string => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`

/** Two signatures: one of the body, one of timestamp and body, by which targets reject replays. @param nowS wall time, unix seconds. */
export const messageOf = (
  { target, secret }: Pick<Subscription, 'target' | 'secret'>,
  sent: SentAlert,
  context: MessageContext,
  nowS: number,
): Message => {
  const body = JSON.stringify(bodyOf(target, sent, context))
  const url = target.kind === 'telegram' ? `${context.telegram}/bot${target.botToken}/sendMessage` : target.url
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': USER_AGENT,
    [SIGNATURE_HEADER]: signatureOf(secret, body),
    [TIMESTAMP_HEADER]: String(nowS),
    [STAMPED_HEADER]: signatureOf(secret, `${nowS}.${body}`),
  }
  return { url, headers, body }
}

const SAMPLE_MINT = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'

/** The alert that `mintfold alerts test` sends: kind `test`, with an unused mint. */
export const testAlertOf = (subscription: Subscription, id: string, nowS: number): SentAlert => ({
  ...{ id, subscription: subscription.id, kind: 'test', t: nowS, mint: SAMPLE_MINT, name: 'test', symbol: 'TEST', odds: null },
  ...{ flag: null, findingId: null, tries: 0, firstTriedAt: null, nextAt: 0, failure: null },
})
