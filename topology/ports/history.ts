// What the API asks of history: figures over long windows, kept in ClickHouse. Never in the way of a card.

/** A figure, or why there is none: callers show the reason beside a null. */
export type Known<Value> =
  | { readonly ok: true; readonly value: Value; readonly asOf: number }
  | { readonly ok: false; readonly reason: string }

/** Rates over the resolved launches of the last days; rates are null while no launch is resolved. */
export interface BaseRates {
  readonly windowDays: number
  readonly launches: number
  readonly gradRate: number | null
  readonly rugRate: number | null
  readonly devSoldRate: number | null
  readonly reached5SolRate: number | null
}

/** The market over one window that ends at the newest tick. Shares are null where nothing happened. */
export interface RegimeWindow {
  readonly windowS: 60 | 3_600 | 86_400
  readonly launches: number
  readonly launchesPerHour: number
  readonly mayhemShare: number | null
  readonly buys: number
  readonly sells: number
  readonly buyLamports: number
  readonly sellLamports: number
  readonly failedShare: number | null
  readonly migrations: number
  readonly trueGraduations: number
  /** Flags by mechanism. */
  readonly rugFlags: Readonly<Record<string, number>>
}

export interface Regime {
  readonly minute: RegimeWindow
  readonly hour: RegimeWindow
  readonly day: RegimeWindow
}

/** Reads are cached and refreshed in the background: no call waits for ClickHouse, none throws. `asOf` is stream time, unix seconds. */
export interface History {
  baseRates(): Known<BaseRates>
  regime(): Known<Regime>
  /** How far the sink is: rows written, newest tick (unix s) whose rows are all there, and what is wrong, if anything is. */
  status(): { readonly rows: number; readonly upTo: number | null; readonly trouble: string | null }
}
