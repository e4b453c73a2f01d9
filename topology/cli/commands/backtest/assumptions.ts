// What the figures of a backtest rest on, in words for the report.
import type { SeenRows } from '../../../backtest/trials/market.ts'
import type { BacktestChain } from './chains.ts'
import type { Options } from './options.ts'

export const assumptionsOf = <Rows extends SeenRows>(of: BacktestChain<Rows>, options: Options): readonly string[] => [
  `A hit is a flag whose launch rugged at least ${options.delayS} s after it (--delay-s); a rug that came sooner is late, and counts against precision.`,
  'A launch is judged by its outcome, settled by an hour without a trade or by its migration; a flag after that is judged by nothing, and so are launches of which events are missing or that are paired with another coin.',
  'Placebo: random launches flagged as often, each at the same count of events (classes of 1, 2, 3, 4, 6, 8, 12, ...); p is the chance of as many hits by that, q the same over everything that was tried in this run.',
  'Score of a setting, for windows and overfitting: recall less the share of the launches that did not rug and were flagged.',
  `Walk-forward: each window is tested with the setting that did best on launches that were ${options.purgeS} s before it at the least (--purge-s); an embargo changes nothing where only the past is learnt from.`,
  'Regimes are thirds of the hours of this run by their launches: quiet, usual, busy. Kinds of creators know what this run has seen of them, no more.',
  'Events that are lost at random (5 %) leave launches themselves in place.',
  ...(of.isBought
    ? profitWords(options)
    : ['Profit is not computed for this chain: its curves are paid in several quotes, and buys pay a tax by age.']),
]

const profitWords = ({ ageS, holdS, size }: Options): readonly string[] => [
  `Profit: a buyer spends ${Number(size) / 1e9} SOL on every launch that can be bought ${ageS} s after it, and sells all of it ${holdS} s later, or into the last reserves of a curve that closed; 1.25 % in fees each way, exact integers, its own price impact included; others trade as they did. A launch is avoided where the flag and the delay came before the purchase.`,
]
