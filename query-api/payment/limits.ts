// The limits of payments.

export const paymentLimits = {
  /** PAYMENT-SIGNATURE as accepted. */
  headerBytesMax: 10 * 1024,
  /**
   * Budgets for a base URL of 40 characters and the longest usual query: all headers of a 402, the PAYMENT-SIGNATURE that clients make of
   * it (it repeats resource and extensions), and PAYMENT-RESPONSE. Proxies with default settings pass 4 KB of response headers and 8 KB of
   * a request's. A cursor of the maximum length may add `cursorBytesMax` to each.
   */
  termsHeadersBytesMax: 3_600,
  signatureHeaderBytesMax: 4_096,
  responseHeaderBytesMax: 1_024,
  cursorBytesMax: 1_600,
  /** Size of a Solana packet. */
  transactionBytesMax: 1232,
  /** One stored answer. */
  answerBytesMax: 1024 * 1024,
  /** All stored answers together. */
  answersBytesMax: 256 * 1024 * 1024,
  /** Stored payments, each for 24 h at most. */
  entriesMax: 200_000,
  /** Stored refused payments, each for `landWithinMs`. */
  refusalsMax: 20_000,
  /** Payments in progress in this process. */
  inFlightMax: 500,
  /** How long a retry returns the stored answer (contract: 10 minutes). */
  replayMs: 10 * 60 * 1000,
  /** How long a used payment is stored, and refused. */
  rememberMs: 24 * 60 * 60 * 1000,
  /** Settlement ledger: lines (two per payment, about 400 bytes each), their retention, and how many are dropped at most per append. */
  linesMax: 400_000,
  linesMs: 400 * 24 * 60 * 60 * 1000,
  linesDroppedMax: 8,
  /** Lease of a claim on a payment in a shared store: lost after this time without renewal; renewed every third of it. */
  claimLeaseMs: 15_000,
  /** Interval and number of polls for another process to finish a payment (20 s in total, then 409). */
  joinPollMs: 100,
  joinTriesMax: 200,
  /** Timeout of a shared store. */
  storeTimeoutMs: 3_000,
  /** Expired entries per sweep, and the minimum time between sweeps. */
  sweepEntriesMax: 1000,
  sweepEveryMs: 1000,
  /** Default timeout of facilitator calls; the facilitator may itself wait for the chain, twice 30 s. */
  facilitatorTimeoutMs: 90_000,
  /** A facilitator's answer; one to `/settle` has about 300 bytes. */
  facilitatorAnswerBytesMax: 256 * 1024,
  facilitatorRedirectsMax: 3,
  /** A facilitator's reason, as forwarded. */
  reasonCharsMax: 200,
  /** Timeout of `/supported`, which callers wait for. */
  supportedTimeoutMs: 10_000,
  /** After a failed `/supported`, callers get 503 without a new attempt for this time. */
  supportedRetryMs: 1000,
  /** Age at which the fee payer is refreshed in the background. */
  supportedFreshMs: 10 * 60 * 1000,
  /** Chain lookup: signatures of the payer per page (verifying one takes 0.1 ms), pages, bytes and timeout of an RPC answer. */
  lookupSignaturesMax: 200,
  lookupPagesMax: 50,
  lookupBytesMax: 1024 * 1024,
  lookupTimeoutMs: 10_000,
  /** Timeout of all pages of one lookup together: the caller's connection times out after two minutes. */
  lookupAllMs: 30_000,
  /** A blockhash is valid for 150 blocks, 60 to 90 s; a payment that has not landed this long after the attempt never lands. */
  landWithinMs: 10 * 60 * 1000,
  /** Timeout of our node's answer about a blockhash, and the pause until it is asked again: a node is some slots behind. */
  blockhashTimeoutMs: 1_000,
  blockhashAgainMs: 2_000,
  /** Least time until an EVM authorization ends, as facilitators demand it: the transaction must land before. */
  authorizationLeftS: 6,
  /** New payments in progress whose signature only the chain can verify, in this process. */
  unverifiableMax: 32,
  /** `maxTimeoutSeconds` of the contract. */
  payWithinS: 60,
  /** Retry-After of 409 and 503. */
  retryAfterS: 5,
  /** payment-identifier and nonce; shorter ones could be guessed. */
  proofCharsMin: 16,
  proofCharsMax: 128,
} as const
