// The report of a backtest as text lines.
import type { Graded, Report, Share } from '../../../backtest/report-types.ts'

const WIDTHS = [44, 9, 24, 24, 9, 9, 9, 12] as const
const HEAD = ['setting', 'flagged', 'precision', 'recall', 'chance', 'q', 'lead p50', 'killed'] as const

const line = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[at] ?? 8))).join('')
const percent = (value: number | null): string => (value === null ? '-' : `${(value * 100).toFixed(1)} %`)
const shareText = ({ value, low, high }: Share): string =>
  value === null ? '-' : `${percent(value)} (${percent(low)} to ${percent(high)})`.replaceAll(' %', '%')
const rowOf = ({ name, flagged, precision, recall, placebo, leadP50S, killedWinners }: Graded): string =>
  line([
    name.slice(0, WIDTHS[0] - 1),
    String(flagged),
    shareText(precision),
    shareText(recall),
    percent(placebo.precision),
    placebo.q === null ? '-' : placebo.q.toPrecision(2),
    leadP50S === null ? '-' : `${Math.round(leadP50S)} s`,
    String(killedWinners),
  ])

export const tableOf = ({ summary, settings }: Report): readonly string[] => [
  `${summary.launches} launches, ${summary.unresolved} without an outcome yet; ${summary.events} events${summary.isPartial ? '; STOPPED BEFORE THE END' : ''}`,
  ...summary.overfitting.flatMap(({ detector, probability }) =>
    probability === null ? [] : [`${detector}: probability that its best setting is overfitted ${percent(probability)}`],
  ),
  line(HEAD),
  ...settings.map(rowOf),
  ...settings.flatMap(({ name, lookAhead }) =>
    lookAhead === null || lookAhead.flips === 0
      ? []
      : [`${name} USES FUTURE DATA (${lookAhead.flips} results changed): ${lookAhead.examples[0] ?? ''}`],
  ),
]
