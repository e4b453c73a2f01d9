// Draws the picture of the system in README.md, as SVG in two colour schemes.

interface Scheme {
  readonly name: 'light' | 'dark'
  readonly ink: string
  readonly soft: string
  readonly line: string
  /** Fill of a box by its kind. */
  readonly fills: Readonly<Record<Kind, string>>
}
/** An external program, a topic of the log, running code, or a store. */
type Kind = 'outside' | 'topic' | 'code' | 'store'

const SCHEMES: readonly Scheme[] = [
  {
    ...{ name: 'light', ink: '#1d2529', soft: '#55636b', line: '#8a979e' },
    fills: { outside: '#f3f5f6', topic: '#dcecf8', code: '#e3f2e1', store: '#f8ecd2' },
  },
  {
    ...{ name: 'dark', ink: '#e6eaec', soft: '#9aa5ac', line: '#6b7980' },
    fills: { outside: '#20272b', topic: '#17364b', code: '#1e3d24', store: '#463814' },
  },
]
const [WIDTH, HEIGHT] = [1000, 450]

type Place = readonly [x: number, y: number, width: number, height: number]

const drawing = ({ ink, soft, line, fills }: Scheme): string => {
  const text = (x: number, y: number, label: string, look: string): string => `<text x="${x}" y="${y}" ${look}>${label}</text>`
  const box = (kind: Kind, [x, y, width, height]: Place, title: string, ...notes: readonly string[]): string => {
    const first = y + height / 2 + 5 - notes.length * 8
    return [
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${kind === 'topic' ? height / 2 : 6}" fill="${fills[kind]}" stroke="${line}"/>`,
      text(x + width / 2, first, title, `fill="${ink}" font-size="14" font-weight="600"`),
      ...notes.map((note, n) => text(x + width / 2, first + 17 + n * 15, note, `fill="${soft}" font-size="12"`)),
    ].join('\n')
  }
  const arrow = (path: string): string => `<path d="${path}" fill="none" stroke="${line}" stroke-width="1.5" marker-end="url(#to)"/>`
  const note = (x: number, y: number, label: string): string => text(x, y, label, `fill="${soft}" font-size="12"`)

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" text-anchor="middle" role="img">`,
    '<title>Sources send frames to the raw topic; a decoder writes the tape; folds with their stores write flags, outcomes and odds; ClickHouse keeps the history; the API sells cards by x402.</title>',
    `<defs><marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="${line}"/></marker></defs>`,
    box('outside', [10, 20, 150, 44], 'Solana node', 'gRPC, JSON-RPC'),
    box('outside', [10, 76, 150, 44], 'EVM node', 'JSON-RPC, WebSocket'),
    box('outside', [10, 132, 150, 44], 'demo market', 'seeded simulator'),
    box('outside', [10, 188, 150, 44], 'recording', 'replay'),
    ...[42, 98, 154, 210].map((y) => arrow(`M160 ${y}C178 ${y} 172 126 192 126`)),
    box('topic', [194, 101, 110, 50], 'raw.*', 'frames'),
    arrow('M304 126H334'),
    box('code', [336, 88, 120, 76], 'decode', 'pure, per chain', 'store: its rows'),
    arrow('M456 126H486'),
    box('topic', [488, 101, 110, 50], 'tape.*', 'events'),
    arrow('M598 126H630'),
    `<rect x="632" y="20" width="196" height="212" rx="8" fill="none" stroke="${line}" stroke-dasharray="4 3"/>`,
    note(730, 38, 'task: one per partition'),
    box('code', [644, 48, 172, 44], 'mint', 'fold + detectors'),
    box('code', [644, 98, 82, 38], 'creator'),
    box('code', [734, 98, 82, 38], 'wallet'),
    box('store', [644, 144, 172, 76], 'store', 'rows, timers, undo (LMDB)', 'one atomic commit with', 'outputs and offsets'),
    arrow('M690 232V262'),
    arrow('M770 262V234'),
    box('topic', [644, 264, 172, 40], 'exchange', 'messages between keys'),
    arrow('M828 70H858'),
    arrow('M828 145H858'),
    box('topic', [860, 45, 130, 50], 'flags', 'and outcomes'),
    box('topic', [860, 120, 130, 50], 'judgements', 'at fixed ages'),
    arrow('M925 170V192'),
    box('code', [860, 194, 130, 40], 'scorer', 'odds models'),
    arrow('M925 234V262'),
    box('topic', [860, 264, 130, 40], 'odds', 'logged first'),
    arrow('M990 70C1004 200 1004 300 974 338'),
    arrow('M925 304V338'),
    box('store', [860, 340, 130, 56], 'ClickHouse', 'history, SQL'),
    arrow('M632 200C606 240 618 300 640 338'),
    note(596, 250, 'changelogs'),
    box('code', [632, 340, 150, 56], 'views', 'in memory, from', 'changelogs'),
    arrow('M632 368H572'),
    arrow('M925 396V424H500V398'),
    box('code', [430, 340, 140, 56], 'query-api', 'REST, MCP, stream,', 'pages, alerts'),
    arrow('M430 358H372'),
    arrow('M370 378H428'),
    box('store', [224, 340, 146, 56], 'payments', 'x402: verify, settle,', 'then answer'),
    arrow('M224 358H162'),
    arrow('M160 378H222'),
    box('outside', [10, 340, 150, 56], 'agents, people', 'USDC for cards'),
    '</svg>',
    '',
  ].join('\n')
}

/** The picture in each colour scheme. */
export const systemPictures: readonly { readonly name: string; readonly svg: string }[] = SCHEMES.map((scheme) => ({
  name: scheme.name,
  svg: drawing(scheme),
}))
