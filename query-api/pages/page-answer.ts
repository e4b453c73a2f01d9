// The type of a rendered page.
import type { Html } from './html.ts'

export interface PageAnswer {
  readonly status: number
  readonly page: Html | string
  /** As `Made.isPassing`. */
  readonly isPassing?: true
}
