// Embeds the report as JSON in the page: for programs, and for data that the page does not show.
import { escapeHidden } from '../../../processors/text.ts'
import type { Graded, Report } from '../report-types.ts'

/** Limit of the embedded JSON in UTF-16 characters: a few hundred settings with their details, some thousand without. */
const CHARACTERS_MAX = 4_000_000

export interface Embedded {
  /** One line of JSON; `<`, `>`, `&` and invisible characters are escaped. */
  readonly json: string
  /** A sentence stating what was omitted; null if nothing was. */
  readonly omitted: string | null
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' }
const jsonOf = (value: unknown): string => escapeHidden(JSON.stringify(value)).replace(/[<>&]/g, (character) => ESCAPES[character] ?? '')

/** Without slices, lead times and mistakes. */
const withoutDetails = (graded: Graded): Graded => ({ ...graded, slices: [], mistakes: [], leads: [] })

/** `drawn`: the settings that the page draws; slices, lead times and mistakes of others are omitted first. */
export const embeddedOf = ({ summary, settings }: Report, drawn: readonly Graded[], charactersMax = CHARACTERS_MAX): Embedded => {
  const tries: readonly (readonly [string | null, () => unknown])[] = [
    [null, () => ({ summary, settings })],
    [
      'Slices, lead times and mistakes are omitted for all settings except those drawn here, because the file would be too large.',
      () => ({ summary, settings: settings.map((graded) => (drawn.includes(graded) ? graded : withoutDetails(graded))) }),
    ],
    [
      'Slices, lead times and mistakes of all settings are omitted, because the file would be too large.',
      () => ({ summary, settings: settings.map(withoutDetails) }),
    ],
    ['The settings are omitted, because the file would be too large.', () => ({ summary, settings: [] })],
  ]
  for (const [omitted, make] of tries) {
    const json = jsonOf(make())
    if (json.length <= charactersMax) return { json, omitted }
  }
  return { json: 'null', omitted: 'The data is omitted, because the file would be too large.' }
}
