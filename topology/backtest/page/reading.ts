// The assumptions, the glossary, and the embedded data.
import type { Summary } from '../report-types.ts'
import type { Embedded } from './data.ts'
import { type Html, html, trusted } from './html.ts'

const ASSUMPTIONS_MAX = 60

export const assumptionsPart = ({ assumptions }: Summary): Html => html`<section aria-labelledby="assumptions">
<h2 id="assumptions">Assumptions</h2>${
  assumptions.length === 0
    ? html`<p class="empty">None is recorded.</p>`
    : html`<ul class="assumptions">${assumptions.slice(0, ASSUMPTIONS_MAX).map((sentence) => html`<li>${sentence}</li>`)}</ul>`
}</section>`

const WORDS: readonly (readonly [term: string, meaning: string])[] = [
  ['Precision', 'Of the flags that could be judged, the share on launches that rugged after the delay.'],
  ['Recall', 'Of the launches that rugged, the share flagged in time.'],
  ['95 % interval', 'Where the share of many more such launches would plausibly lie (Wilson). Few flags make it wide.'],
  [
    'Base rate',
    'The share of launches that rug, flagged or not. A late flag can no longer hit many of them: the placebo is the fairer comparison.',
  ],
  [
    'Placebo',
    'The precision of random launches, flagged as often at the same count of events: the precision of a detector without information.',
  ],
  [
    'q',
    'How likely a detector without information is to have this many hits or more, corrected for all settings tried (Benjamini-Hochberg).',
  ],
  ['Lead', 'Time from the flag, plus the delay, to the rug. p50: half of the hits have less; p90: nine in ten do.'],
  ['Killed winners', 'Flagged launches that graduated.'],
  ['Tier', 'Active detectors report; shadow ones run without reporting; retired ones keep their names; yours are from your files.'],
  ['Not judged', 'Launches whose outcome did not come within the range. They count neither for nor against a setting.'],
]

export const wordsPart = (): Html => html`<section aria-labelledby="words"><h2 id="words">How to read this</h2>
<dl class="words">${WORDS.map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`)}</dl></section>`

/** The id of the data, used by the script and the command below. */
const DATA_ID = 'report-data'
/** Prints the line with the JSON. The page escapes the quotes of the command, so the command does not match its own line. */
const COMMAND = `sed -n '/id="${DATA_ID}"/{n;p;}' REPORT.html`

/** `json` must be on a line of its own: `COMMAND` prints that line. */
export const dataPart = ({ json, omitted }: Embedded): Html => html`<section aria-labelledby="data"><h2 id="data">The data</h2>
<p class="note">The whole report is in this file as JSON. ${omitted ?? ''} <a class="save" hidden download="backtest.json" href="#data">Save it</a></p>
<p class="note">On a command line:</p>
<pre class="command"><button type="button" class="copy" aria-label="Copy the command">copy</button><code>${COMMAND}</code></pre>
<script type="application/json" id="${DATA_ID}">
${trusted(json)}
</script></section>`
