// Every limit of the payment path, with its unit.

export const paymentLimits = {
  /** PAYMENT-SIGNATURE as sent. A real one is 1.5 to 3 KB with the extensions that clients echo. */
  headerBytesMax: 10 * 1024,
  /** A Solana packet. */
  transactionBytesMax: 1232,
  /** One stored answer. */
  answerBytesMax: 1024 * 1024,
  /** All stored answers together. */
  answersBytesMax: 256 * 1024 * 1024,
  /** Payments remembered; at most 24 h of them. */
  entriesMax: 200_000,
  /** Refused payments remembered, each for `landWithinMs`. */
  refusalsMax: 20_000,
  /** Payments under way in this process. */
  inFlightMax: 500,
  /** How long a retry gets the stored answer (contract: 10 minutes). */
  replayMs: 10 * 60 * 1000,
  /** How long a used payment is known, and refused. */
  rememberMs: 24 * 60 * 60 * 1000,
  /** Lines of the ledger of settlements (two a payment, some 400 bytes each), for how long, and how many go at most with one more. */
  linesMax: 400_000,
  linesMs: 400 * 24 * 60 * 60 * 1000,
  linesDroppedMax: 8,
  /** A claim on a payment that several processes share: one silent for this long has lost it. It tells of itself thrice as often. */
  claimLeaseMs: 15_000,
  /** How often, and how many times, a process looks whether another has finished with a payment (20 s, and then 409). */
  joinPollMs: 100,
  joinTriesMax: 200,
  /** A shared store that takes longer is away. */
  storeTimeoutMs: 3_000,
  /** Entries aged per sweep, and the least time between sweeps. */
  sweepEntriesMax: 1000,
  sweepEveryMs: 1000,
  /** Default of the facilitator client; it may itself wait 30 s for the chain, twice. */
  facilitatorTimeoutMs: 90_000,
  /** An answer of it; one to `/settle` has some 300 bytes. */
  facilitatorAnswerBytesMax: 256 * 1024,
  facilitatorRedirectsMax: 3,
  /** A facilitator's reason, as passed on. */
  reasonCharsMax: 200,
  /** `/supported` is asked on a caller's time. */
  supportedTimeoutMs: 10_000,
  /** After a failed `/supported`, callers get 503 without asking again for this long. */
  supportedRetryMs: 1000,
  /** The fee payer is asked for again, in the background, once it is this old. */
  supportedFreshMs: 10 * 60 * 1000,
  /** One look at the chain: signatures of the payer in a page (each is verified: .1 ms), pages, bytes of an answer and its time. */
  lookupSignaturesMax: 200,
  lookupPagesMax: 50,
  lookupBytesMax: 1024 * 1024,
  lookupTimeoutMs: 10_000,
  /** All pages of one look: connections are given up after two minutes. */
  lookupAllMs: 30_000,
  /** A blockhash is valid for 150 blocks, 60 to 90 s; what has not landed this long after it was tried never will. */
  landWithinMs: 10 * 60 * 1000,
  /** `maxTimeoutSeconds` of the contract. */
  payWithinS: 60,
  /** Retry-After of 409 and 503. */
  retryAfterS: 5,
  /** payment-identifier and nonce: shorter ones could be guessed. */
  proofCharsMin: 16,
  proofCharsMax: 128,
} as const
