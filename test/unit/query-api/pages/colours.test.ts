// The colours of the pages: readable on every background, and distinguishable with colour blindness.
import { readFileSync } from 'node:fs'
import { contrastOf, distanceOf, EYES, type Rgb, rgbOf } from '../../../tools/colours.ts'

const CSS = readFileSync(new URL('../../../../query-api/pages/assets/colours.css', import.meta.url), 'utf8')
const [light = '', dark = ''] = CSS.split('@media (prefers-color-scheme: dark)')
const coloursOf = (text: string): ReadonlyMap<string, Rgb> =>
  new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, rgbOf(hex)]))
const THEMES = [
  ['light', coloursOf(light)],
  ['dark', coloursOf(dark)],
] as const

const GROUNDS = ['ground', 'panel', 'ease']
const TEXTS = ['ink', 'soft', 'grave', 'lesser', 'good']
const CLASSES = ['class-dev', 'class-bundle', 'class-insider', 'class-top', 'class-crowd']
const DRAWN = ['series', 'buys', 'sells', 'stroke', 'lesser-stroke', 'grave', ...CLASSES]
/** Colours next to each other in one drawing. */
const TOGETHER = [CLASSES, ['grave', 'lesser-stroke', 'stroke', 'ink'], ['grave', 'lesser'], ['buys', 'sells']]
const APART_MIN = 15

const colour = (theme: ReadonlyMap<string, Rgb>, name: string): Rgb => {
  const found = theme.get(name)
  if (found === undefined) throw new Error(`no colour --${name}`)
  return found
}
const pairs = <Item>(items: readonly Item[]): (readonly [Item, Item])[] =>
  items.flatMap((a, n) => items.slice(n + 1).map((b) => [a, b] as const))

describe.each(THEMES)('in the %s theme', (_name, theme) => {
  test.each(TEXTS)('text in --%s has a contrast of 4.5 on every background', (name) => {
    for (const ground of GROUNDS) expect(contrastOf(colour(theme, name), colour(theme, ground))).toBeGreaterThanOrEqual(4.5)
  })
  test.each(DRAWN)('drawings in --%s have a contrast of 3', (name) => {
    for (const ground of ['ground', 'panel']) expect(contrastOf(colour(theme, name), colour(theme, ground))).toBeGreaterThanOrEqual(3)
  })
  test.each(Object.entries(EYES))('eyes with %s can distinguish the colours drawn together', (_eye, eye) => {
    const close = TOGETHER.flatMap(pairs).filter(([a, b]) => distanceOf(colour(theme, a), colour(theme, b), eye) < APART_MIN)
    expect(close).toEqual([])
  })
})

test('the measures are right for known cases: black on white, and red next to green', () => {
  expect(contrastOf(rgbOf('#000000'), rgbOf('#ffffff'))).toBeCloseTo(21, 5)
  expect(contrastOf(rgbOf('#767676'), rgbOf('#ffffff'))).toBeCloseTo(4.54, 2)
  const [red, green] = [rgbOf('#c03030'), rgbOf('#6a7a1a')]
  const apart = Object.entries(EYES).map(([name, eye]) => [name, distanceOf(red, green, eye)] as const)
  expect(Object.fromEntries(apart)['all cones']).toBeGreaterThan(70)
  expect(Object.fromEntries(apart).deuteranopia).toBeLessThan(25)
})
