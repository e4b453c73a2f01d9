// What `/v1/labels` says of alerts.
import { alertLimits } from './limits.ts'
import { SIGNATURE_HEADER, STAMPED_HEADER, TIMESTAMP_HEADER } from './messages.ts'

const MS = 1_000
const DAY_S = 86_400

export const alertLabels = {
  about:
    'pushed once paid for. graduation_odds: the first logged odds of true graduation of a mint at or above min_odds after the subscription began, while the odds are shown. rug_flags: each flag of a launch once its slot is confirmed. What was delivered is not taken back where a fork retracts it: evidence_url says whether a flag stands',
  delivery:
    'POST, at least once: an alert may come twice, with the same id. Any 2xx takes it; anything else, redirects too, is tried again after growing pauses and given up after an hour of failures. None is sent after the end of the term',
  targets: {
    generic: 'the body is the alert as JSON: fields.alert',
    discord: 'a message of a webhook of Discord; it mentions nobody',
    telegram: 'a message of a bot; plain text, no preview',
    refused:
      'anything but https to a public address: private, loopback, link-local and reserved addresses, names of a local network, user names in the URL, ports below 1024 but 443. Judged at the subscription and at each connection. A sandbox also takes http:// to its own machine',
  },
  headers: {
    [SIGNATURE_HEADER]: 'sha256= and the hex HMAC-SHA256 of the body under the secret',
    [TIMESTAMP_HEADER]: 'when this try was sent, unix seconds',
    [STAMPED_HEADER]: 'sha256= and the hex HMAC-SHA256 of the time, a dot and the body: against who sends an old body again',
  },
  limits: {
    term_days: alertLimits.termS / DAY_S,
    subscriptions: alertLimits.subscriptionsMax,
    subscriptions_per_target: alertLimits.perTargetMax,
    waiting_per_subscription: alertLimits.waitingPerSubscriptionMax,
    requests_at_a_time: alertLimits.inFlightPerSubscriptionMax,
    request_s: alertLimits.requestMsMax / MS,
    answer_bytes: alertLimits.answerBytesMax,
    given_up_after_s: alertLimits.giveUpMs / MS,
  },
} as const
