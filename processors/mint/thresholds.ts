// Every threshold of the mint fold, its detectors and cards. Labels of the API derive from these.

/** Lamports in a SOL. */
export const LAMPORTS_PER_SOL = 1_000_000_000
/** Base units in a coin of the launchpad: its mints have 6 decimals. */
export const UNITS_PER_TOKEN = 1_000_000

/** Wallets of a coin that have their own rows: beyond HOLDER_ROWS_MAX the smallest are summed up, until HOLDER_ROWS_KEPT rows remain. */
export const HOLDER_ROWS_MAX = 8_192
export const HOLDER_ROWS_KEPT = 6_144

/** Virtual minus real quote reserve of every SOL-paired curve that is not mayhem (measured: 61 of 61 curves), lamports. */
export const VIRTUAL_QUOTE_LAMPORTS = 30_000_000_000
/** Virtual minus real token reserve of the same curves, base units. */
export const VIRTUAL_TOKEN_UNITS = 279_900_000_000_000
/** Coins that a curve has to sell where the launch does not state it, base units. */
export const REAL_TOKEN_UNITS = 793_100_000_000_000
/** Total supply where the launch does not state it, base units. */
export const SUPPLY_UNITS = 1_000_000_000_000_000

/** A curve witnessed at or above this real reserve counts as graduated (the contract's rule), lamports. */
export const GRADUATION_LAMPORTS = 84_000_000_000
/** Progress 1: the launchpad's own completion level (real reserve when the last coin is sold, 85.005 SOL), lamports. */
export const COMPLETION_LAMPORTS = 85_000_000_000

/** bundle_dumped: more than this share of the bundle's purchases has been sold. */
export const DUMPED_PERCENT = 50
/** dev_unloaded: at least this share of all the dev set's coins has been sold. */
export const UNLOADED_PERCENT = 80
/** curve_drained needs a peak of at least this, lamports. */
export const DRAINED_PEAK_LAMPORTS = 1_000_000_000
/** curve_drained: real reserve at or below this share of its peak; pool_drained: of its opening reserve. */
export const DRAINED_PERCENT = 20
/** Outcome DRAIN needs a peak of at least this; also the field reached_5_sol, lamports. */
export const DRAIN_PEAK_LAMPORTS = 5_000_000_000
/** Outcome DRAIN: real reserve at or below this share of its running peak. */
export const DRAIN_PERCENT = 25
/** progress_reversed: real reserve below this share of its peak while the curve is open. */
export const REVERSED_PERCENT = 75

/** concentrated: any of these shares of supply, or more. */
export const CONCENTRATED_TOP5_SHARE = 0.5
export const CONCENTRATED_BUNDLE_SHARE = 0.25
export const CONCENTRATED_INSIDER_SHARE = 0.2

/** A mint this young is never called stalled, seconds. */
export const STALL_AGE_S = 120
/** Stalled: no new buyer in this time, seconds. */
export const NEW_BUYER_WINDOW_S = 30
/** Window of demand, of buys for `stalled` and of top-5 sells, seconds; also the number of flow rows of a mint. */
export const DEMAND_WINDOW_S = 60
/** alive: a trade in this time, seconds. */
export const ALIVE_S = 300

/** An outcome settles after this time without a trade, seconds. */
export const QUIET_S = 3_600
/** Silence after which a mint leaves the live window and may be forgotten, seconds. */
export const SILENT_S = 7_200
/** Minimum age before a mint is forgotten, because lists reach back this far, seconds. */
export const KEEP_S = 21_600
/** How long a forgotten mint's stub is kept, seconds. */
export const STUB_S = 86_400

/** confidence: trades for `high`, trades for `medium`. */
export const CONFIDENT_TRADES = 20
export const MEDIUM_TRADES = 5
/** confidence: feed lag below which it is `high`, and below which it is `medium`, seconds. */
export const CONFIDENT_LAG_S = 5
export const MEDIUM_LAG_S = 30

/** Creator changes kept for a mint, the newest. */
export const CHANGES_MAX = 20
/** Pools of a coin that are followed. */
export const POOLS_MAX = 8
/** Trades kept as proof of a dumped bundle. */
export const PROOFS_MAX = 64
/** Insider wallets listed on a card, the largest. */
export const INSIDERS_SHOWN_MAX = 20
/** Entities listed on a card, the largest with several wallets; and wallets and joins listed of each. */
export const ENTITIES_SHOWN_MAX = 5
export const ENTITY_WALLETS_SHOWN_MAX = 10
/** Characters of a name and of a symbol on a card. */
export const NAME_CHARS_MAX = 32
export const SYMBOL_CHARS_MAX = 16
