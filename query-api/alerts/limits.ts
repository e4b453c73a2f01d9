// Limits of alerts, each with its unit.

export const alertLimits = {
  /** What one payment buys, seconds of stream time. */
  termS: 30 * 86_400,
  /** Subscriptions that run at once: in all, and to one target. Those being paid for when the limit is reached are honoured. */
  subscriptionsMax: 1_000,
  perTargetMax: 5,
  /** Alerts that wait for their target: of one subscription; in all; of one subscription once there are so many in all. */
  waitingPerSubscriptionMax: 500,
  waitingMax: 20_000,
  waitingShareMax: 20,
  /** Requests to targets at once: of one subscription, and in all. */
  inFlightPerSubscriptionMax: 2,
  inFlightMax: 32,
  /** A request to a target, with its answer. */
  requestMsMax: 10_000,
  /** Of a target's answer so much is read. */
  answerBytesMax: 64 * 1024,
  /** First pause after a failure; it doubles with each, up to the longest. */
  retryMsMin: 1_000,
  retryMsMax: 120_000,
  /** An alert is given up when it has failed for so long. */
  giveUpMs: 3_600_000,
  /** Ids of alerts that are done are remembered so long, seconds of stream time; odds of a mint end at an age of 900 s. */
  doneKeptS: 7_200,
  doneMax: 200_000,
  /** Alerts that were given up, the newest, of all subscriptions. */
  deadMax: 1_000,
  /** A subscription that has ended is listed so long, seconds of stream time. */
  endedKeptS: 86_400,
  /** Records of a feed that are read at once. */
  pageMax: 500,
  /** How often new subscriptions, cancellations and due deliveries are looked for. */
  turnMs: 500,
  /** Without a sign for so long a process is taken for dead, and another delivers. */
  leaseMs: 6_000,
  urlCharsMax: 2_000,
  dnsMsMax: 2_000,
  /** Names that are looked up at once for requests to subscribe. */
  lookUpsMax: 32,
} as const
