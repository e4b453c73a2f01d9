// Grades detectors, labels and roles against the truth of both demo markets: `npm run grade [-- hours seed rate]` prints precision and recall.
import { gradeCurves } from './grade/curve-grades.ts'
import { gradeDemo } from './grade/demo-grades.ts'

const WIDTHS = { rule: 25, count: 7, share: 11 }

const [hours = '6', seed = '1', rate = '1'] = process.argv.slice(2)
const line = (rule: string, counts: readonly (number | string)[], shares: readonly (number | string | null)[]): void => {
  const figure = (share: number | string | null): string => (share === null ? '-' : typeof share === 'number' ? share.toFixed(4) : share)
  const cells = [
    ...counts.map((count) => String(count).padStart(WIDTHS.count)),
    ...shares.map((share) => figure(share).padStart(WIDTHS.share)),
  ]
  process.stdout.write(`${rule.padEnd(WIDTHS.rule)}${cells.join('')}\n`)
}
const show = (market: string, { launches, grades }: ReturnType<typeof gradeDemo>): void => {
  process.stdout.write(`${market}: ${launches} launches followed to their end over ${hours} h at rate ${rate}, seed ${seed}\n`)
  line('rule', ['found', 'true', 'hits'], ['precision', 'recall'])
  for (const { rule, predicted, true: right, hits, precision, recall, misses } of grades) {
    line(rule, [predicted, right, hits], [precision, recall])
    for (const miss of misses) process.stdout.write(`  differs: ${miss}\n`)
  }
}
const asked = [Number(hours), Number(seed), Number(rate)] as const
show('solana', gradeDemo(...asked))
show('alt', await gradeCurves(...asked))
