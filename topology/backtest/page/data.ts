// The report as JSON within the page: for programs, and for what the page does not show.
import { escapeHidden } from '../../../processors/text.ts'
import type { Graded, Report } from '../report-types.ts'

/** Characters (UTF-16) of JSON that a page carries: some thousand settings without their parts, a few hundred with them. */
const CHARACTERS_MAX = 4_000_000

export interface Embedded {
  /** One line of JSON without `<`, `>`, `&` and characters that cannot be seen: these are escaped. */
  readonly json: string
  /** What had to be left out, a sentence; null where all is there. */
  readonly omitted: string | null
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' }
const jsonOf = (value: unknown): string => escapeHidden(JSON.stringify(value)).replace(/[<>&]/g, (character) => ESCAPES[character] ?? '')

const withoutParts = (graded: Graded): Graded => ({ ...graded, slices: [], mistakes: [], leads: [] })

/** `drawn`: settings whose parts are kept longest. */
export const embeddedOf = ({ summary, settings }: Report, drawn: readonly Graded[], charactersMax = CHARACTERS_MAX): Embedded => {
  const tries: readonly (readonly [string | null, () => unknown])[] = [
    [null, () => ({ summary, settings })],
    [
      'Slices, lead times and mistakes are left out of all settings but those drawn here, because the file would be too large.',
      () => ({ summary, settings: settings.map((graded) => (drawn.includes(graded) ? graded : withoutParts(graded))) }),
    ],
    [
      'Slices, lead times and mistakes of the settings are left out, because the file would be too large.',
      () => ({ summary, settings: settings.map(withoutParts) }),
    ],
    ['The settings are left out, because the file would be too large.', () => ({ summary, settings: [] })],
  ]
  for (const [omitted, make] of tries) {
    const json = jsonOf(make())
    if (json.length <= charactersMax) return { json, omitted }
  }
  return { json: 'null', omitted: 'The data is left out, because the file would be too large.' }
}
