// Renders the report of a backtest as one HTML file: it loads nothing, and is complete without scripts.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Report } from '../report-types.ts'
import { checksPart, lookAheadPart } from './checks.ts'
import { embeddedOf } from './data.ts'
import { eachPart, overviewPart, walkForwardPart } from './figures.ts'
import { html, trusted } from './html.ts'
import { mistakesPart } from './mistakes.ts'
import { drawnOf } from './picks.ts'
import { figuresOf } from './plots/canvas.ts'
import { assumptionsPart, dataPart, wordsPart } from './reading.ts'
import { settingsPart } from './settings-table.ts'
import { factsPart, headerPart, overfittingPart, partialPart, verdictPart } from './summary.ts'
import { type Quote, when } from './words.ts'

const assetOf = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
const STYLE = assetOf('page.css')
const SCRIPT = assetOf('page.js')

/** Only our script runs, and nothing is loaded: markup that got through the escaping would have no effect. */
const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const SOL: Quote = { symbol: 'SOL', decimals: 9 }

/**
 * The whole file as text. Pure: the same report gives the same text. `quote`: the currency of amounts, as in `ChainFacts`; fields that are
 * named after lamports are in the chain's smallest unit.
 */
export const reportPage = (report: Report, quote: Quote = SOL): string => {
  const { summary, settings } = report
  const figures = figuresOf()
  const drawn = drawnOf(settings)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>mintfold backtest, ${when(summary.from)} to ${when(summary.to)}${summary.isPartial ? ' (partial)' : ''}</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${headerPart(summary)}
<main id="main" tabindex="-1">
<div class="first"><section class="lead" aria-labelledby="lead"><h1 id="lead">Detectors judged by what happened after their flags</h1>
${partialPart(summary)}${verdictPart(report)}${lookAheadPart(settings)}${factsPart(summary)}</section>
${overfittingPart(summary)}</div>
${settingsPart(settings, quote)}
${overviewPart(settings, figures)}
${eachPart(drawn, settings.length, figures)}
${walkForwardPart(summary, figures)}
${checksPart(settings)}
${mistakesPart(drawn.length > 0 ? drawn : settings, quote)}
${assumptionsPart(summary)}
${wordsPart()}
${dataPart(embeddedOf(report, drawn))}
</main>
<footer><p>Past launches show how often a detector was right, not that it will be.</p></footer>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.toString()
}
