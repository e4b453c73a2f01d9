// `/sitemap.xml`: the fixed pages, then the pages of tokens and of curves that have not changed for `DELAY_S`, each newest first.
import { keyText } from '../../../schemas/keys.ts'
import { restedCurves } from '../../answers/curves/rested.ts'
import { DELAY_S, restsSince } from '../../answers/delay.ts'
import type { Service } from '../../answers/service.ts'
import { html, trusted } from '../html.ts'

export const SITEMAP_PATH = '/sitemap.xml'

const TOKENS_MAX = 1_000
/** Launches examined to find these tokens. */
const LOOKED_AT_MAX = 5_000
const CURVES_MAX = 200
/** Tokens are listed if they launched in this period, which ends `DELAY_S` ago; seconds. */
const REACH_S = 21_600

/** @param paths of the fixed pages. */
export const sitemapOf = (service: Service, paths: readonly string[]): string => {
  const { baseUrl } = service.options
  const all = [...paths, ...tokenPaths(service), ...curvePaths(service)]
  return html`${trusted('<?xml version="1.0" encoding="UTF-8"?>')}
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${all.map((path) => html`<url><loc>${baseUrl}${path}</loc></url>\n`)}</urlset>
`.toString()
}

const tokenPaths = (service: Service): readonly string[] => {
  const instant = service.instant()
  if (!instant?.status.ready) return []
  const then = instant.moment.asOf - DELAY_S
  const paths: string[] = []
  let looked = 0
  for (const { mint, head } of service.options.view.launchesSince(then - REACH_S, then)) {
    if (paths.length >= TOKENS_MAX || ++looked > LOOKED_AT_MAX) break
    if (restsSince(head, then)) paths.push(`/token/${keyText(mint)}`)
  }
  return paths
}

const curvePaths = (service: Service): readonly string[] =>
  service.curves.context.isFollowed
    ? restedCurves(service.curves, service.instant('curves'), CURVES_MAX).map(({ curve }) => `/alt/${curve}`)
    : []
