// HTML of the pages.
import { templateOf } from '../../processors/drawing/html.ts'

export { type Html, trusted } from '../../processors/drawing/html.ts'

/** Template tag. Keeps line breaks, because pages show answers as JSON. */
export const html = templateOf((text) => text)
