// The coin's holders by class, as bars and as a table.
import * as Plot from '@observablehq/plot'
import { shareOf } from '../../../processors/mint/card/amounts.ts'
import { HOLDER_CLASSES, type HolderClass, holderClassesOf } from '../../../processors/mint/card/holder-classes.ts'
import { areHoldersKnown } from '../../../processors/mint/card/labels.ts'
import type { MintState } from '../../../schemas/types.ts'
import { count, percent } from '../figures.ts'
import { type Html, html } from '../html.ts'
import { type Drawing, figurePart } from '../record/figure.ts'

const NAMES: Readonly<Record<HolderClass, string>> = {
  dev: 'creator',
  bundle: 'bundle',
  insider: 'insiders',
  top: 'next 5',
  crowd: 'crowd',
}
const MEANINGS: Readonly<Record<HolderClass, string>> = {
  dev: 'the wallets that launched it',
  bundle: 'others that bought in the create slot',
  insider: 'received coins by transfer, were funded by the creator or its funder, or bought in the create transaction',
  top: 'largest of the rest',
  crowd: 'everybody else',
}

export interface ClassShare {
  readonly name: HolderClass
  readonly wallets: number | null
  /** Of the supply. */
  readonly share: number
}

/** Undefined if the holders are not known. */
export const classSharesOf = (state: MintState): readonly ClassShare[] | undefined => {
  const { launch, curve } = state
  if (launch === null || curve === null || !areHoldersKnown(curve)) return undefined
  const classes = holderClassesOf(state)
  return HOLDER_CLASSES.map((name) => ({ name, wallets: classes[name].wallets, share: shareOf(classes[name].units, launch.supplyUnits) }))
}

/** Empty if `shares` is undefined. */
export const holdersPart = async (shares: readonly ClassShare[] | undefined): Promise<Html> => {
  if (shares === undefined) return html``
  const all = shares.reduce((sum, { share }) => sum + share, 0)
  const drawing: Drawing = {
    id: 'holders',
    title: 'Holders by class',
    text: `Of the supply ${shares.map(({ name, share }) => `${NAMES[name]} ${percent(share)}`).join(', ')}; the rest, ${percent(Math.max(0, 1 - all))}, is in the curve or its pool.`,
    note: html`<p class="note">Shares of the supply. The rest, ${percent(Math.max(0, 1 - all))}, is in the curve or its pool.</p>`,
    draw: () => ({
      ...{ marginLeft: 62, marginRight: 56, marginTop: 6, marginBottom: 6, height: 150 },
      ...{ x: { domain: [0, Math.max(0.01, ...shares.map(({ share }) => share))], axis: null }, y: { domain: [...HOLDER_CLASSES] } },
      marks: [
        Plot.barX(shares, { x: 'share', y: 'name', fill: ({ name }: ClassShare) => `var(--class-${name})`, insetTop: 3, insetBottom: 3 }),
        Plot.ruleX([0], { stroke: 'var(--ink)' }),
        Plot.axisY({ tickSize: 0, label: null, tickFormat: (name: HolderClass) => NAMES[name] }),
        Plot.text(shares, {
          x: 'share',
          y: 'name',
          text: ({ share }: ClassShare) => percent(share),
          textAnchor: 'start',
          dx: 6,
          fill: 'currentColor',
        }),
      ],
    }),
  }
  return figurePart(drawing, tablePart(shares))
}

const tablePart = (
  shares: readonly ClassShare[],
): Html => html`<details><summary>As a table, with the meaning of each class</summary><table class="rows">
<thead><tr><th scope="col">Class</th><th scope="col" class="n">Wallets</th><th scope="col" class="n">Of supply</th></tr></thead>
<tbody>${shares.map(
  ({ name, wallets, share }) =>
    html`<tr><th scope="row"><span class="swatch ${name}"></span> ${NAMES[name]} <span class="of">${MEANINGS[name]}</span></th><td class="n">${count(wallets)}</td><td class="n">${percent(share)}</td></tr>`,
)}</tbody></table><p class="note">A wallet counts in the first class that fits.</p></details>`
