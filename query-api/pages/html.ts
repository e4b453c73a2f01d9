// HTML of the pages.
import { templateOf } from '../../processors/drawing/html.ts'

export { type Html, trusted } from '../../processors/drawing/html.ts'

/** Tag of templates. Line breaks stay: answers are shown as JSON. */
export const html = templateOf((text) => text)
