// Limits of subscriptions, deliveries and requests to targets.

export const alertLimits = {
  /** Term of one payment, seconds of stream time. */
  termS: 30 * 86_400,
  /** Active subscriptions, in total. Limits of subscriptions are checked before payment: sales in progress at a time can exceed them. */
  subscriptionsMax: 1_000,
  /** Per Discord webhook, and per Telegram bot and chat. */
  perChatMax: 5,
  /** Per host of generic targets: customers of one automation service share its host. */
  perHostMax: 20,
  /** Per address of generic targets (IPv6: per /64), a tenth of all: many customers' hosts are behind one address of a large network. */
  perAddressMax: 100,
  /** Waiting alerts: per subscription; of all subscriptions; per subscription once that total is reached. Near the total, see `hasRoom`. */
  waitingPerSubscriptionMax: 500,
  waitingMax: 20_000,
  waitingShareMax: 20,
  /**
   * Concurrent requests: per subscription (1 after a failure, until one succeeds), and per host of generic targets (per chat for others).
   * No host waits for a request of another one: all together are at most `subscriptionsMax` times the first.
   */
  inFlightPerSubscriptionMax: 2,
  inFlightPerHostMax: 4,
  /**
   * Requests that start within `startsMs`, because TLS handshakes take the processor time of the API: hosts in turn, those whose newest
   * request was answered within `quickMs` before the others.
   */
  startsMax: 64,
  startsMs: 100,
  quickMs: 1_000,
  /** Timeout of a request to a target, until the end of its response. */
  requestMsMax: 10_000,
  /** Maximum bytes read of a target's response. */
  responseBytesMax: 64 * 1024,
  /** First pause of an alert and of its target after a failure, doubled with each failure in a row, and its maximum. */
  retryMsMin: 1_000,
  retryMsMax: 120_000,
  /** An alert is abandoned after failing, or waiting for a target that fails, for this time. */
  giveUpMs: 3_600_000,
  /**
   * Retention of the ids of finished alerts, seconds of stream time. The last odds of a launch are
   * logged at an age of 900 s, so the same alert cannot occur again later.
   */
  doneKeptS: 7_200,
  doneMax: 200_000,
  /** Abandoned alerts that are stored, over all subscriptions: the newest. */
  deadMax: 1_000,
  /** How long an ended subscription is listed, seconds of stream time. */
  endedKeptS: 86_400,
  /** Records per read of a feed. */
  pageMax: 500,
  /** Pause between two polls for new subscriptions, cancellations and due deliveries. */
  pollMs: 500,
  /** Lease time: if the delivering process does not renew its lease for this time, another one takes over. */
  leaseMs: 6_000,
  urlCharsMax: 2_000,
  dnsMsMax: 2_000,
  /** Concurrent DNS lookups for subscription requests. */
  lookUpsMax: 32,
  /** Resolved hosts of subscription requests that are kept until the sale. */
  resolvedMax: 1_000,
  /** Timeout of a challenge, until the end of its answer: the buyer waits for it. */
  challengeMsMax: 5_000,
  /** Concurrent challenges: a small part of the payments that may be in progress. */
  challengesMax: 64,
} as const
