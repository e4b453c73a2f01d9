// Reports and pages for tests.
import { parseHTML } from 'linkedom'
import { reportPage } from '../../../../topology/backtest/page/page.ts'
import type { Graded, Report } from '../../../../topology/backtest/report-types.ts'
import { backtestReport, type ReportSize } from '../../../fixtures/backtest-report.ts'

const SMALL: ReportSize = { seed: 7, detectors: 2, settings: 2, days: 3 }

export const givenReport = (size: Partial<ReportSize> = {}): Report => backtestReport({ ...SMALL, ...size })

/** Applies the same change to every setting. */
export const withSettings = ({ summary, settings }: Report, change: Partial<Graded>): Report => ({
  summary,
  settings: settings.map((graded) => ({ ...graded, ...change })),
})

export const HOSTILE = '</script></title><img src=x onerror="document.title=1">\u202e\'`&amp;\n; rm -rf \u0000'

/** Replaces every text of the report that comes from a file or the chain. */
export const hostileReport = (size: Partial<ReportSize> = {}): Report => {
  const { summary, settings } = givenReport(size)
  return {
    summary: {
      ...summary,
      ...{ program: HOSTILE, input: [HOSTILE], assumptions: [HOSTILE] },
      overfitting: summary.overfitting.map((one) => ({ ...one, detector: HOSTILE, reason: HOSTILE })),
      walkForward: summary.walkForward.map((window) => ({ ...window, detector: HOSTILE, chosen: HOSTILE })),
    },
    settings: settings.map((graded, i) => ({
      ...graded,
      name: `${i} ${HOSTILE}`,
      detector: { ...graded.detector, id: HOSTILE, firesWhen: HOSTILE },
      slices: graded.slices.map((slice) => ({ ...slice, name: slice.by === 'day' ? slice.name : `${slice.name} ${HOSTILE}` })),
      mistakes: graded.mistakes.map((mistake) => ({
        ...mistake,
        mint: HOSTILE,
        explain: `mintfold explain ${HOSTILE}`,
        peakLamports: HOSTILE,
      })),
      lookAhead: { checked: 9, flips: 2, examples: [HOSTILE] },
    })),
  }
}

/** `document`: without its scripts. `rows`: of the table of settings, counted in the text, because parsing a large page takes seconds. */
export const pageOf = (report: Report) => {
  const page = reportPage(report)
  let parsed: ReturnType<typeof parseHTML>['document'] | undefined
  return {
    page,
    rows: (/class="settings">.*?<tbody>(.*?)<\/tbody>/s.exec(page)?.[1] ?? '').split('</tr>').length - 1,
    get document() {
      parsed ??= parseHTML(page.replace(/<script.*?<\/script>/gs, '')).document
      return parsed
    },
    get text() {
      return String(this.document.body.textContent)
    },
  }
}

/** Data embedded in the page. */
export const dataOf = (page: string): unknown => JSON.parse(/id="report-data">\n(.*)\n<\/script>/.exec(page)?.[1] ?? '')
