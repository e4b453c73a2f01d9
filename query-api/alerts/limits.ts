// Limits of subscriptions, deliveries and requests to targets.

export const alertLimits = {
  /** Term of one payment, seconds of stream time. */
  termS: 30 * 86_400,
  /** Active subscriptions: in total, and per target. Checked before payment, so sales in progress at the same time can exceed them. */
  subscriptionsMax: 1_000,
  perTargetMax: 5,
  /** Waiting alerts: per subscription; of all subscriptions; per subscription once that total is reached. */
  waitingPerSubscriptionMax: 500,
  waitingMax: 20_000,
  waitingShareMax: 20,
  /** Concurrent requests to targets: per subscription, and in total. */
  inFlightPerSubscriptionMax: 2,
  inFlightMax: 32,
  /** Timeout of a request to a target, until the end of its response. */
  requestMsMax: 10_000,
  /** Maximum bytes read of a target's response. */
  responseBytesMax: 64 * 1024,
  /** First backoff after a failure, doubled with each failure, and its maximum. */
  retryMsMin: 1_000,
  retryMsMax: 120_000,
  /** An alert is abandoned after failing for this time. */
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
} as const
