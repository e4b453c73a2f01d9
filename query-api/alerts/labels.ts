// What `/v1/labels` states about alerts.
import { alertLimits } from './limits.ts'
import { SIGNATURE_HEADER, STAMPED_HEADER, TIMESTAMP_HEADER } from './messages.ts'

const MS = 1_000
const DAY_S = 86_400

export const alertLabels = {
  about:
    'messages to the target of a subscription. graduation_odds: one per mint, when its logged odds of true graduation first reach min_odds after the start of the subscription; none while the odds are not shown. rug_flags: one per flag, once its slot is confirmed. If a reorg retracts a flag that was delivered, no message follows: evidence_url states whether a flag is still valid',
  delivery:
    'POST, at least once: an alert may be delivered twice, with the same id. Any 2xx accepts it; any other status, redirects included, and no answer in time are retried. A target that fails is paused, for longer with each failure in a row (1 s to 2 min, or its Retry-After), and then gets one request at a time until one succeeds. Alerts that fail or wait for a paused target are abandoned after an hour. No alert is sent after the end of the term',
  challenge:
    'before a subscription to a generic target is sold, once its payment is verified, the target gets one POST with the body {"challenge": "TEXT"} and no signature. It must answer 2xx within challenge_s, with JSON whose member challenge is that TEXT, or with TEXT alone. Otherwise the sale is refused (422 unproven_target), and nothing is charged. A host gets at most one challenge per minute: a sale that would need another one is refused (429), and nothing is charged. A payment that was settled causes no further challenge. Discord and Telegram get none',
  targets: {
    generic: 'the body is the alert as JSON: fields.alert',
    discord: 'a message of a Discord webhook, without mentions',
    telegram: 'a message of a Telegram bot; plain text, without link preview',
    refused:
      'a URL that is not https, has a user name or a port below 1024 other than 443, or names a host of a local network or with a private, loopback, link-local or reserved address. Checked before the subscription is sold and at each connection. A sandbox also accepts http:// to its own machine',
  },
  headers: {
    [SIGNATURE_HEADER]: 'sha256= and the hex HMAC-SHA256 of the body under the secret',
    [TIMESTAMP_HEADER]: 'time of this attempt, unix seconds',
    [STAMPED_HEADER]: 'sha256= and the hex HMAC-SHA256 of the timestamp, a dot and the body: protects against replays of old bodies',
  },
  limits: {
    term_days: alertLimits.termS / DAY_S,
    subscriptions: alertLimits.subscriptionsMax,
    subscriptions_per_host: alertLimits.perHostMax,
    subscriptions_per_address: alertLimits.perAddressMax,
    subscriptions_per_chat: alertLimits.perChatMax,
    waiting_per_subscription: alertLimits.waitingPerSubscriptionMax,
    requests_at_a_time: alertLimits.inFlightPerSubscriptionMax,
    requests_at_a_time_per_host: alertLimits.inFlightPerHostMax,
    request_s: alertLimits.requestMsMax / MS,
    challenge_s: alertLimits.challengeMsMax / MS,
    answer_bytes: alertLimits.responseBytesMax,
    given_up_after_s: alertLimits.giveUpMs / MS,
  },
} as const
