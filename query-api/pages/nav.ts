// The navigation of every page.
import { type Html, html } from './html.ts'

const PLACES: readonly (readonly [path: string, name: string])[] = [
  ['/', 'Market'],
  ['/radar', 'Radar'],
  ['/calibration', 'Calibration'],
  ['/alerts', 'Alerts'],
  ['/docs', 'Docs'],
]

/** @param path of the page that shows it. */
export const navPart = (path: string | undefined): Html =>
  html`<nav class="places" aria-label="Pages"><ul>${PLACES.map(
    ([to, name]) => html`<li><a href="${to}"${to === path ? html` aria-current="page"` : ''}>${name}</a></li>`,
  )}</ul></nav>`
