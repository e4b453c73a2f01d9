// The link-preview picture of a launch's record: 1200 x 630 pixels, rendered off the event loop.
import { createRequire } from 'node:module'
import { renderAsync } from '@resvg/resvg-js'
import { createPlotter } from '../../../processors/drawing/plot.ts'
import { keyText, parseKey } from '../../../schemas/keys.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { type Answer, historyAway, refusal } from '../../questions/bodies.ts'
import type { Made } from '../cache.ts'
import { short, span, words } from '../figures.ts'
import { type Html, html, trusted } from '../html.ts'
import { reserveDrawing } from '../record/plots.ts'
import { type Series, seriesOf } from '../record/series.ts'
import { outcomeText } from './outcome.ts'
import { pngOf } from './png.ts'
import { nameOf, type ShownLaunch, SOL, shownLaunch } from './record.ts'

const WIDTH = 1_200
const HEIGHT = 630
const NAME_CHARS = 26
const FLAGS_SHOWN = 4

/** The colours of the page's dark theme: a picture cannot resolve CSS variables. */
const COLOURS: Readonly<Record<string, string>> = {
  'var(--series)': '#74b3ea',
  'var(--grave)': '#ff8fae',
  'var(--lesser)': '#e0b44c',
  'var(--grid)': '#232b2f',
  'var(--ink)': '#e6eaec',
  currentColor: '#9aa5ac',
}
const KINDS: Readonly<Record<string, string>> = { good: '#4fc3f0', grave: '#ff8fae', soft: '#9aa5ac' }

const { resolve } = createRequire(import.meta.url)
/** No system fonts: pictures are equal on every machine. Characters missing in these fonts are drawn as boxes. */
const FONTS = {
  loadSystemFonts: false,
  fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => resolve(`dejavu-fonts-ttf/ttf/${name}`)),
  defaultFontFamily: 'DejaVu Sans',
  sansSerifFamily: 'DejaVu Sans',
}
const plot = createPlotter()

/** A PNG, or a refusal in JSON. @param text the mint in the path. */
export const tokenPicture = async (service: Service, instant: Instant, text: string): Promise<Made<Buffer>> => {
  const mint = parseKey(text)
  const launch = mint === undefined ? undefined : await shownLaunch(service, instant, mint)
  if (launch === undefined || launch === 'young') return madeOf(NO_PICTURE)
  if ('reason' in launch) return madeOf(historyAway(launch.reason))
  const { pool, launchAt, until } = launch
  const series = await seriesOf(service, { mint: launch.mint, pool, launchAt, until, money: SOL })
  const image = await renderAsync(pictureOf(launch, series.ok ? series.value : undefined).toString(), { font: FONTS })
  return { status: 200, body: await pngOf(image), ...(!series.ok && { isPassing: true }) }
}

const NO_PICTURE = refusal(404, 'no_picture', 'no launch of this address older than 300 s is known; see /token/{mint}')
const madeOf = ({ status, body }: Answer): Made<Buffer> => ({ status, body: Buffer.from(body) })

/** SVG. Exported for tests. */
export const pictureOf = (launch: ShownLaunch, series: Series | undefined): Html => {
  const [kind, became] = launch.outcome === null ? ['soft', 'not settled'] : outcomeText(launch.outcome)
  const texts = launch.flags.slice(0, FLAGS_SHOWN).map(({ flag, ageS }) => `${words(flag)} ${span(ageS)}`)
  const more = launch.flags.length > FLAGS_SHOWN ? [`${launch.flags.length - FLAGS_SHOWN} more`] : []
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="DejaVu Sans">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#0d1113"/>
<path d="M60 40v26M84 52v26" stroke="#e6eaec" stroke-width="5"/><circle cx="60" cy="66" r="7" fill="#e6eaec"/><circle cx="84" cy="80" r="7" fill="#ff8fae"/>
<text x="106" y="76" font-size="30" font-weight="700" fill="#e6eaec">mintfold</text>
<text x="1140" y="76" font-size="24" fill="#9aa5ac" text-anchor="end">${short(keyText(launch.mint))}</text>
<text x="56" y="168" font-size="58" font-weight="700" fill="#e6eaec">${cut(nameOf(launch))}</text>
<text x="56" y="218" font-size="28" fill="#9aa5ac">${cut(launch.symbol)}</text>
<text x="1140" y="218" font-size="28" font-weight="700" fill="${KINDS[kind] ?? '#9aa5ac'}" text-anchor="end">${became}</text>
${series === undefined ? '' : drawingPart(launch, series)}
<text x="56" y="590" font-size="24" fill="${texts.length > 0 ? '#ff8fae' : '#9aa5ac'}">${texts.length > 0 ? [...texts, ...more].join(' · ') : 'no flag observed; not a guarantee'}</text>
</svg>`
}

const cut = (text: string): string => {
  const characters = Array.from(text)
  return characters.length > NAME_CHARS ? `${characters.slice(0, NAME_CHARS - 1).join('')}…` : text
}

/** Drawn at half the size and scaled by 2, so that letters are twice as large. */
const drawingPart = (launch: ShownLaunch, series: Series): Html => {
  const drawing = reserveDrawing(series, launch.flags)
  if (drawing === undefined) return html``
  const drawn = plot({ ...drawing.draw(WIDTH / 2 - 30), height: 156 }, WIDTH / 2 - 30, html``).toString()
  const coloured = Object.entries(COLOURS).reduce((text, [name, colour]) => text.replaceAll(name, colour), drawn)
  return html`<g transform="translate(30 240) scale(2)" color="#9aa5ac">${trusted(coloured)}</g>`
}
