// Every threshold of the curve fold, its detectors and cards. Labels of the API derive from these.

/** Decimals of every token of the launchpad. */
export const TOKEN_DECIMALS = 18
/** Decimals of the native unit of the chain. */
export const NATIVE_DECIMALS = 18
/** Total supply in base units, assumed where the launch does not state it: every launch seen had this supply. */
export const SUPPLY_UNITS = 10n ** 27n

/** Nominal blocks per second: they place events within the whole seconds of block times (measured: 101 ms a block). */
export const BLOCKS_PER_SECOND = 10
/** Longest window of flow figures, and the shorter one of new buyers, seconds. */
export const FLOW_WINDOW_S = 6
export const NEW_BUYERS_WINDOW_S = 2
/** Blocks whose flow is kept: the longest window, plus one second because block times are whole seconds. */
export const FLOW_BLOCKS = (FLOW_WINDOW_S + 1) * BLOCKS_PER_SECOND
/** Buys pay the snipe tax in the first seconds of block time after the launch. */
export const TAX_WINDOW_S = 3

/** Wallets of a token that have their own rows: beyond HOLDER_ROWS_MAX the smallest are summed up, until HOLDER_ROWS_KEPT rows remain. */
export const HOLDER_ROWS_MAX = 8_192
export const HOLDER_ROWS_KEPT = 6_144

/** curve_drained needs a peak of at least this, base units of the native unit (0.1). */
export const DRAINED_PEAK_UNITS = 10n ** 17n
/** curve_drained: real reserve at or below this share of its peak. */
export const DRAINED_PERCENT = 20
/** Outcome DRAIN needs a peak of at least 1 / n of the quote that completes the curve: the same ratio as 5 of 85 SOL on Solana. */
export const DRAIN_PEAK_PART = 17
/** Outcome DRAIN: real reserve at or below this share of its running peak. */
export const DRAIN_PERCENT = 25

/** An outcome settles after this time without a trade, seconds. */
export const QUIET_S = 3_600
/** Silence after which a curve leaves the live window and may be forgotten, seconds. */
export const SILENT_S = 7_200
/** Minimum age before a curve is forgotten, because lists reach back this far, seconds. */
export const KEEP_S = 21_600
/** How long a forgotten curve's stub is kept, seconds. */
export const STUB_S = 86_400
