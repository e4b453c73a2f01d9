// The holders of a curve's token by class, as shares of the circulating tokens. Classes may overlap.
import * as Plot from '@observablehq/plot'
import type { FullCurve } from '../../../processors/curve/card/card.ts'
import { percent } from '../figures.ts'
import { type Html, html } from '../html.ts'
import { type Drawing, figurePart } from '../record/figure.ts'

interface Held {
  readonly name: string
  readonly share: number
  readonly fill: string
}

const heldOf = ({ structure }: FullCurve): readonly Held[] => {
  const shares: readonly (readonly [name: string, share: number | null, kind: string])[] = [
    ['deployer', structure.deployer_holding_share, 'dev'],
    ['same block', structure.same_block_direct_cluster_share, 'bundle'],
    ['terminals', structure.terminal_holdings_share, 'insider'],
    ['top 5', structure.top5_share, 'top'],
  ]
  return shares.flatMap(([name, share, kind]) => (share === null ? [] : [{ name, share, fill: `var(--class-${kind})` }]))
}

/** Empty if no share is known. */
export const structurePart = async (data: FullCurve): Promise<Html> => {
  const held = heldOf(data)
  if (held.length === 0) return html``
  const text = held.map(({ name, share }) => `${name} ${percent(share)}`).join(', ')
  const drawing: Drawing = {
    id: 'holders',
    title: 'Holders by class',
    text: `Of the circulating tokens: ${text}. A wallet may be in several classes.`,
    note: html`<p class="note">Shares of circulating tokens; a wallet may be in several classes. Same block: direct buys in one block, which
shows timing, not coordination.</p>`,
    draw: () => ({
      ...{ marginLeft: 74, marginRight: 56, marginTop: 6, marginBottom: 6, height: 130 },
      ...{ x: { domain: [0, Math.max(0.01, ...held.map(({ share }) => share))], axis: null }, y: { domain: held.map(({ name }) => name) } },
      marks: [
        Plot.barX(held, { x: 'share', y: 'name', fill: ({ fill }: Held) => fill, insetTop: 3, insetBottom: 3 }),
        Plot.ruleX([0], { stroke: 'var(--ink)' }),
        Plot.axisY({ tickSize: 0, label: null }),
        Plot.text(held, {
          x: 'share',
          y: 'name',
          text: ({ share }: Held) => percent(share),
          textAnchor: 'start',
          dx: 6,
          fill: 'currentColor',
        }),
      ],
    }),
  }
  return figurePart(drawing)
}
