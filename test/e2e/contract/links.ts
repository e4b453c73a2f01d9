// Finds what an answer offers to request: links, finding ids and cursors, each with its place in the answer.
import type { Json, Reply } from './demo.ts'

export interface Link {
  /** Route and field with placeholders for addresses, so that the same place in another answer has the same text. */
  readonly at: string
  /** Path on this server, with its query. */
  readonly to: string
}
export interface NamedFinding {
  readonly at: string
  readonly id: string
  /** When it was first seen, unix seconds, if given next to it. */
  readonly seenAt: number | null
}
export interface NamedCursor {
  readonly at: string
  readonly cursor: string
  readonly mints: readonly string[]
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const FINDING = /^(solana|alt):[0-9.~]+@[0-9A-Za-z]+:[a-z0-9_-]+:([1-9A-HJ-NP-Za-km-z]{32,44}|0x[0-9a-fA-F]{40})$/
/** Fields of untrusted text, which are skipped. */
const UNTRUSTED: ReadonlySet<string> = new Set(['name', 'symbol', 'uri'])

/** Replaces finding ids, addresses and cursors with placeholders. */
export const shapeOf = (text: string): string =>
  text
    .replaceAll(/(solana|alt):[0-9.~]+@[^&"]+/g, 'FINDING')
    .replaceAll(/0x[0-9a-fA-F]{40}/g, 'ADDRESS')
    .replaceAll(/cursor=[^&"]+/g, 'cursor=CURSOR')
    .replaceAll(/[1-9A-HJ-NP-Za-km-z]{32,44}/g, 'ADDRESS')

/** Every string with its dotted path. */
const stringsOf = (value: unknown, at: string): readonly (readonly [at: string, text: string])[] => {
  if (typeof value === 'string') return [[at, value]]
  if (Array.isArray(value)) return value.flatMap((item) => stringsOf(item, `${at}[]`))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, child]) => (UNTRUSTED.has(name) ? [] : stringsOf(child, `${at}.${name}`)))
}

/** Links of markdown and HTML, and written-out requests. */
const IN_TEXT = [
  /\]\(([^)\s]+)\)/g,
  /(?:href|src)="([^"#][^"]*)"/g,
  /(?<!\[|### |- )\bGET (\/[^\s,;)<\]]*)/g,
  /curl (?:-i )?(\S+?)(?=[<"]|\s|$)/g,
  /mintfold buy (\/[^\s<"]+)/g,
]
const textLinks = (text: string): readonly string[] => IN_TEXT.flatMap((pattern) => [...text.matchAll(pattern)].map(([, to = '']) => to))

const pathOf = (to: string, url: string): string | undefined => {
  const own = to.startsWith(url) ? to.slice(url.length) || '/' : to
  return own.startsWith('/') ? own.replaceAll('&amp;', '&').split('#')[0]?.replace(/[.:]$/, '') : undefined
}

/** Links to this server. In JSON: strings that are a URL or path, and links within other strings. In other texts: their links. */
export const linksIn = ({ path, body, text }: Pick<Reply, 'path' | 'body' | 'text'>, url: string): readonly Link[] => {
  const from = shapeOf(path)
  const isJson = Object.keys(body).length > 0
  const found = isJson
    ? stringsOf(body, from).flatMap(([at, value]) =>
        (/^(\/|https?:\/\/)\S*$/.test(value) ? [value] : textLinks(value)).map((to) => ({ at, to })),
      )
    : textLinks(text).map((to) => ({ at: from, to }))
  return found.flatMap(({ at, to }) => {
    const own = pathOf(to, url)
    return own === undefined ? [] : [{ at, to: own }]
  })
}

const objectsOf = (value: unknown, at: string): readonly (readonly [at: string, object: Json])[] => {
  if (Array.isArray(value)) return value.flatMap((item) => objectsOf(item, `${at}[]`))
  if (!isObject(value)) return []
  return [[at, value], ...Object.entries(value).flatMap(([name, child]) => objectsOf(child, `${at}.${name}`))]
}

/** Examples in documents have findings of a synthetic market, which the server does not know, and cursors that it has not signed. */
const isExample = (at: string): boolean => /example/.test(at)

export const findingsIn = ({ path, body }: Pick<Reply, 'path' | 'body'>): readonly NamedFinding[] =>
  objectsOf(body, shapeOf(path)).flatMap(([at, object]) =>
    Object.entries(object).flatMap(([name, id]): NamedFinding[] => {
      if (typeof id !== 'string' || !FINDING.test(id) || isExample(at)) return []
      const seenAt = [object.first_seen_at, object.t].find((one) => typeof one === 'number') ?? null
      return [{ at: `${at}.${name}`, id, seenAt: seenAt as number | null }]
    }),
  )

/** The cursor of an answer with its mints: those in the answer, or if it has none, those in the requested path. */
export const cursorsIn = ({ path, body }: Pick<Reply, 'path' | 'body'>): readonly NamedCursor[] => {
  const { data } = body
  if (isExample(path) || !isObject(data) || typeof data.cursor !== 'string') return []
  const shown = Array.isArray(data.mints) ? data.mints : Array.isArray(data.items) ? data.items.map((item: Json) => item.mint) : []
  if (shown.length > 0) return [{ at: shapeOf(path), cursor: data.cursor, mints: shown.map(String) }]
  const asked = /[?&]mints=([^&]+)/.exec(path)?.[1] ?? /\/v1\/check\/mint\/([^?]+)/.exec(path)?.[1] ?? ''
  return [{ at: shapeOf(path), cursor: data.cursor, mints: decodeURIComponent(asked).split(',') }]
}
