// Compares the simulated market with the figures of recorded markets to which it is fitted. Figures marked `76 s` are of windows of 76 s,
// as the recorded set was sampled. Three kinds of figures need adjustments:
// - gaps within a slot and trades of a mint are counted after 45 of 100 trades are dropped (marked `x .55`), because the recorded set has
//   51 trades per launch where whole markets have 95;
// - launches per hour are divided by the activity of the simulated hours of the day, and scaled from the rate to today's load;
// - shares of graduates depend on one launch in forty and scatter: the table shows their 95 % interval, and a figure outside its tolerance
//   whose interval reaches into it counts as out by chance. More hours narrow the interval.
import type { Key } from '../../../schemas/keys.ts'
import { dayFactor } from '../../../topology/simulator/solana/market/arrivals.ts'
import { Market } from '../../../topology/simulator/solana/market.ts'
import type { DemoEvent, DemoOptions, DemoSlot } from '../../../topology/simulator/solana/market-types.ts'
import { Judge } from './judge.ts'
import { LaunchLog, type LoggedLaunch } from './two-sample/launch-log.ts'
import { Windows } from './windows.ts'

/** `chance`: outside the tolerance, but the 95 % interval reaches into it. */
type Verdict = 'yes' | 'chance' | 'no'

/** One line of the table. `tolerance` is absolute; `error` is half the 95 % interval of a share or mean over launches, else 0. */
export interface Row {
  readonly figure: string
  readonly target: number
  readonly tolerance: number
  readonly simulated: number
  readonly error: number
  /** Number of launches behind a share or mean; 0 for other figures. */
  readonly launches: number
  readonly verdict: Verdict
}

const SOL = 1_000_000_000
/** The load of the recorded markets: eight times that of demo rate 1. */
export const CHECK_RATE = 8
/** Launches near the end are not judged, because the run ends before their outcome: the last two hours, or a quarter of a shorter run. */
const UNJUDGED_MS_MAX = 2 * 3_600_000
const UNJUDGED_SHARE = 0.25
const LOGGED_HOURS_MAX = 6
/** Standard errors on each side of a 95 % interval. */
const SIGMAS = 1.96

/** Collects the table's figures over a range of slots. */
class Observer {
  readonly #judgedMs: number
  readonly #judges = new Map<Key, Judge>()
  readonly #opened = new Map<Key, number>()
  readonly windows = new Windows()
  #launches = 0
  #failed = 0
  #sent = 0
  #firstMinuteQuote = 0
  #fiveMinutesQuote = 0

  /** Launches from `judgedMs` on are counted, but not judged. */
  constructor(judgedMs: number) {
    this.#judgedMs = judgedMs
  }
  see(slot: DemoSlot): void {
    for (const { failed, instructions } of slot.transactions) {
      if (!instructions.some(({ kind }) => kind === 'launchpad')) continue
      this.#sent++
      if (failed !== null) this.#failed++
      else for (const one of instructions) if (one.kind === 'launchpad') for (const event of one.events) this.#event(event, slot)
    }
  }
  rows(meanFactor: number, hours: number, rate: number): Row[] {
    const row = (figure: string, target: number, tolerance: number, simulated: number, standardError = 0, launches = 0): Row => {
      const off = Math.abs(simulated - target)
      const error = SIGMAS * standardError
      const verdict = off <= tolerance ? 'yes' : off <= tolerance + error ? 'chance' : 'no'
      return { figure, target, tolerance, simulated, error, launches, verdict }
    }
    const shareRow = (figure: string, target: number, tolerance: number, judges: readonly Judge[], isHit: (judge: Judge) => boolean): Row =>
      row(
        figure,
        target,
        tolerance,
        judges.filter(isHit).length / judges.length,
        Math.sqrt((target * (1 - target)) / judges.length),
        judges.length,
      )
    const all = [...this.#judges.values()]
    const mean = all.reduce((sum, { trades }) => sum + trades, 0) / all.length
    const spread = Math.sqrt(all.reduce((sum, { trades }) => sum + (trades - mean) ** 2, 0) / all.length)
    const sol = all.filter(({ isSol }) => isSol)
    const classic = all.filter(({ launch }) => !launch.mayhem)
    const high = sol.filter(({ peak, isSelfGraduated }) => peak >= 60 * SOL && !isSelfGraduated)
    const seen = this.windows.figures()
    const graduates = classic.filter(({ isGraduated }) => isGraduated)
    return [
      row("launches an hour at today's load", 1_200, 120, (this.#launches / hours / meanFactor) * (CHECK_RATE / rate)),
      shareRow('graduated', 0.024, 0.003, all, ({ isGraduated }) => isGraduated),
      shareRow('classic graduated, not by the launcher', 0.017, 0.002, classic, (judge) => judge.isGraduated && !judge.isSelfGraduated),
      shareRow('classic graduates: filled by the launcher', 0.455, 0.05, graduates, ({ isSelfGraduated }) => isSelfGraduated),
      shareRow('rugged', 0.652, 0.03, all, ({ rugKind }) => rugKind !== null),
      shareRow('dev sold', 0.645, 0.03, all, ({ devSoldAt }) => devSoldAt !== 0),
      shareRow('peak of 5 SOL or more', 0.195, 0.02, sol, ({ peak }) => peak >= 5 * SOL),
      shareRow('graduated, of those that reached 60 SOL', 0.73, 0.06, high, ({ isGraduated }) => isGraduated),
      row('trades of a launch, mean', 95, 14.25, mean, spread / Math.sqrt(all.length), all.length),
      row('76 s: buy share', 0.454, 0.05, seen.buyShare),
      row('76 s, x .55: gaps within a slot', 0.35, 0.06, seen.sameSlotGaps),
      row('76 s: wallets that trade one mint', 0.92, 0.03, seen.singleMintWallets),
      row('buys SOL, median', 0.1, 0.03, seen.buySolMedian),
      row('buys SOL, 90 %', 1.06, 0.318, seen.buySolHigh),
      row('76 s: wallets in the create slot', 0.26, 0.08, seen.createSlotWallets),
      row('76 s: slope of ln trades on ln wallets', 1.09, 0.1, seen.slope),
      row('failed launchpad transactions', 0.45, 0.08, this.#failed / this.#sent),
      row('76 s, x .55: trades of a mint, 75 %', 5, 1.5, seen.tradesUpper),
      row('76 s, x .55: trades of a mint, 90 %', 13, 3.9, seen.tradesHigh),
      row('pool SOL of 300 s within the first 60 s', 0.41, 0.1, this.#firstMinuteQuote / this.#fiveMinutesQuote),
    ]
  }
  #event(event: DemoEvent, slot: DemoSlot): void {
    this.windows.see(event, slot.number)
    if (event.type === 'launch') {
      this.#launches++
      if (slot.timeMs < this.#judgedMs) this.#judges.set(event.mint, new Judge(event, slot.number))
    }
    this.#judges.get(event.mint)?.see(event, slot.number)
    if (event.type === 'poolCreate') this.#opened.set(event.mint, event.timestamp)
    if (event.type === 'poolTrade') this.#pool(event.mint, event.timestamp, event.quoteUnits)
  }
  #pool(mint: Key, at: number, quoteUnits: number): void {
    const age = at - (this.#opened.get(mint) ?? Number.NEGATIVE_INFINITY)
    if (age < 300) this.#fiveMinutesQuote += quoteUnits
    if (age < 60) this.#firstMinuteQuote += quoteUnits
  }
}

export interface CheckedMarket {
  readonly rows: readonly Row[]
  readonly events: number
  /** Launches of the first hours: six, or all but an hour of a shorter run, so that each has an hour of trades. */
  readonly launches: readonly LoggedLaunch[]
}

/** Simulates and compares. Two hours at rate 8 are about 2,400 launches. */
export const checkMarket = (options: DemoOptions, hours: number): CheckedMarket => {
  const endMs = options.startMs + hours * 3_600_000
  const log = new LaunchLog()
  const loggedHours = Math.min(LOGGED_HOURS_MAX, hours - 1)
  const untilMs = options.startMs + loggedHours * 3_600_000
  const observer = new Observer(endMs - Math.min(UNJUDGED_MS_MAX, hours * 3_600_000 * UNJUDGED_SHARE))
  let [events, factors, slots] = [0, 0, 0]
  for (const slot of new Market(options)) {
    if (slot.timeMs >= endMs) break
    observer.see(slot)
    if (slot.timeMs < untilMs + 3_600_000) log.see(slot, untilMs)
    slots++
    factors += dayFactor(slot.timeMs)
    for (const { failed, instructions } of slot.transactions)
      for (const one of instructions) if (failed === null && one.kind === 'launchpad') events += one.events.length
  }
  return { rows: observer.rows(factors / slots, hours, options.rate), events, launches: log.launches }
}

const text = (value: number): string => (Math.abs(value) >= 50 ? value.toFixed(0) : value.toFixed(3))

const explain = ({ figure, simulated, error, target, tolerance, launches, verdict }: Row): string => {
  const interval = `${text(simulated - error)} to ${text(simulated + error)}`
  const allowed = `${text(target - tolerance)} to ${text(target + tolerance)}`
  if (verdict === 'no') return `${figure}: outside ${allowed} by more than chance explains`
  return `${figure}: outside ${allowed} by chance: the 95 % interval over ${launches} launches is ${interval}; more hours narrow it`
}

/** The table as aligned text, and below it a line for each figure outside its tolerance. */
export const tableOf = (rows: readonly Row[]): string => {
  const head = ['figure', 'target', 'tolerance', 'simulated', '+-95 %', 'ok']
  const lines = rows.map(({ figure, error, verdict, ...rest }) => {
    const numbers = [rest.target, rest.tolerance, rest.simulated].map(text)
    return [figure, ...numbers, error === 0 ? '' : text(error), verdict]
  })
  const table = [head, ...lines].map(([figure = '', ...rest]) => figure.padEnd(42) + rest.map((cell) => cell.padStart(11)).join(''))
  return [...table, ...rows.filter(({ verdict }) => verdict !== 'yes').map(explain)].join('\n')
}
