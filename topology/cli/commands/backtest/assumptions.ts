// The assumptions behind the figures of a backtest, as sentences for its report.
import type { SeenRows } from '../../../backtest/trials/market.ts'
import type { BacktestChain } from './chains.ts'
import type { Options } from './options.ts'

export const assumptionsOf = <Rows extends SeenRows>(of: BacktestChain<Rows>, options: Options): readonly string[] => [
  `A hit is a flag whose launch rugged at least ${options.delayS} s after it (--delay-s); a rug that came sooner is late, and counts against precision.`,
  'A launch is judged by its outcome, which an hour without a trade or the migration settles; not judged are flags after that, launches with missing events, and launches paired with another coin.',
  'Placebo: for each flag, a random launch is flagged at the same event count (classes of 1, 2, 3, 4, 6, 8, 12, ...); p is the probability that these random flags get as many hits, q is p corrected for everything tried in this run.',
  'Score of a setting, for windows and overfitting: recall minus the share of launches flagged among those that did not rug.',
  `Walk-forward: each window is tested with the setting that did best on launches at least ${options.purgeS} s before it (--purge-s); an embargo would change nothing, because only the past is used for learning.`,
  'Regimes are thirds of the hours of this run by number of launches: quiet, usual, busy. Kinds of creators are based only on what this run has seen.',
  'The event-loss test drops 5 % of the events at random, but no launches.',
  ...(of.isBought
    ? profitWords(options)
    : ['Profit is not computed for this chain: its curves are priced in several quote tokens, and buys pay a tax that depends on age.']),
]

const profitWords = ({ ageS, holdS, size }: Options): readonly string[] => [
  `Profit: a buyer spends ${Number(size) / 1e9} SOL on every launch that can be bought ${ageS} s after its start, and sells everything ${holdS} s later, or into the last reserves of a curve that closed; 1.25 % in fees each way, exact integers, own price impact included; all others trade as recorded. A launch is avoided if flag plus delay come before the purchase.`,
]
