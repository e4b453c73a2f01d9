// Chromium for tests of pages, and scripts they evaluate. The scripts are strings, because they use DOM names that this compiler lacks.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env.CHROMIUM_PATH ?? PLACES.find((path) => existsSync(path))

/** `describe`; without a browser it skips and prints `what` was not tested. */
export const inBrowser = (what: string): typeof describe | typeof describe.skip => {
  if (executablePath !== undefined) return describe
  process.stderr.write(
    `SKIPPED: ${what} was not tested in a browser: none of ${PLACES.join(', ')} exists (install one or set CHROMIUM_PATH)\n`,
  )
  return describe.skip
}

export const launchBrowser = (...args: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath as string, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] })

/** Script: the smallest contrast between visible text and its background, and that text. SVG text takes its colour from `fill`. */
export const LEAST_CONTRAST = `(() => {
  const rgb = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number)
  const light = (colour) => {
    const [x, y, z] = colour.slice(0, 3).map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor)
      if (colour.length === 3 || colour[3] === 1) return colour
    }
    return [255, 255, 255]
  }
  const colourOf = (element) => {
    const style = getComputedStyle(element)
    return rgb(element instanceof SVGElement ? style.fill : style.color)
  }
  let least = { ratio: 21, text: '' }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.textContent.trim() === '' || node.parentElement.closest('script, svg title') !== null) continue
    const [a, b] = [light(colourOf(node.parentElement)), light(behind(node.parentElement))].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05)
    if (ratio < least.ratio) least = { ratio, text: node.textContent }
  }
  return least
})()`
