// What `/v1/labels` states about alerts.
import { alertLimits } from './limits.ts'
import { SIGNATURE_HEADER, STAMPED_HEADER, TIMESTAMP_HEADER } from './messages.ts'

const MS = 1_000
const DAY_S = 86_400

export const alertLabels = {
  about:
    'messages to the target of a subscription. graduation_odds: one per mint, when its logged odds of true graduation first reach min_odds after the start of the subscription; none while the odds are not shown. rug_flags: one per flag, once its slot is confirmed. If a reorg retracts a flag that was delivered, no message follows: evidence_url states whether a flag is still valid',
  delivery:
    'POST, at least once: an alert may be delivered twice, with the same id. Any 2xx accepts it; any other status, redirects included, is retried with exponential backoff and abandoned after an hour of failures. No alert is sent after the end of the term',
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
    subscriptions_per_target: alertLimits.perTargetMax,
    waiting_per_subscription: alertLimits.waitingPerSubscriptionMax,
    requests_at_a_time: alertLimits.inFlightPerSubscriptionMax,
    request_s: alertLimits.requestMsMax / MS,
    answer_bytes: alertLimits.responseBytesMax,
    given_up_after_s: alertLimits.giveUpMs / MS,
  },
} as const
