// The worst mistakes, costliest first, each with the command that explains it.
import type { Graded, Mistake } from '../report-types.ts'
import { type Html, html } from './html.ts'
import { amount, type Quote, time } from './words.ts'

const MISTAKES_MAX = 20

const KINDS: Readonly<Record<Mistake['kind'], readonly [title: string, what: string]>> = {
  false_alarm: ['False alarm', 'flagged, and did not rug'],
  killed_winner: ['Killed winner', 'flagged, and graduated'],
  missed: ['Missed', 'rugged without a flag'],
  late: ['Late', 'rugged before a user could act on the flag'],
}

interface Shown {
  readonly mistake: Mistake
  /** Settings that made the mistake. */
  readonly by: readonly string[]
}

/** Base units; text that is not an integer counts as 0. */
const unitsOf = ({ peakLamports }: Mistake): bigint => (/^\d{1,80}$/.test(peakLamports) ? BigInt(peakLamports) : 0n)

/** Groups settings that make the same mistake. */
const worstOf = (settings: readonly Graded[]): readonly Shown[] => {
  const shown = new Map<string, Shown>()
  for (const { name, mistakes } of settings)
    for (const mistake of mistakes) {
      const key = JSON.stringify([mistake.kind, mistake.mint, mistake.explain])
      const known = shown.get(key)
      shown.set(key, { mistake: known?.mistake ?? mistake, by: [...(known?.by ?? []), name] })
    }
  const rank = (a: Shown, b: Shown): number =>
    Number(unitsOf(b.mistake) > unitsOf(a.mistake)) - Number(unitsOf(b.mistake) < unitsOf(a.mistake))
  return [...shown.values()].sort(rank).slice(0, MISTAKES_MAX)
}

const itemOf = ({ mistake, by }: Shown, quote: Quote): Html => {
  const [title, what] = KINDS[mistake.kind] ?? [mistake.kind, '']
  const [first = '', ...others] = by
  return html`<li><p><b>${title}</b>: ${what}. Peak ${amount(mistake.peakLamports, quote)}, ${time(mistake.at)} UTC.
<span class="soft"><bdi>${first}</bdi>${others.length === 0 ? '' : ` and ${others.length} more`}</span></p>
${mistake.explain.includes(mistake.mint) ? '' : html`<p class="mint"><code>${mistake.mint}</code></p>`}
<pre class="command"><button type="button" class="copy" aria-label="Copy the command">copy</button><code>${mistake.explain}</code></pre></li>`
}

export const mistakesPart = (settings: readonly Graded[], quote: Quote): Html => {
  const worst = worstOf(settings)
  return html`<section aria-labelledby="mistakes"><h2 id="mistakes">The worst mistakes</h2>
${
  worst.length === 0
    ? html`<p class="empty">None is recorded.</p>`
    : html`<p class="note">Ordered by the peak value of the launch. Run the command on the machine that has the data.</p>
<ol class="mistakes">${worst.map((one) => itemOf(one, quote))}</ol>`
}</section>`
}
