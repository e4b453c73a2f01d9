// Rows of which the changelog lost a page: a view does not show them.
import type { Topic } from '../../schemas/topics.ts'
import type { MissingPage } from '../engine/rows/cold-pages.ts'
import type { Notice } from '../ports/notice.ts'

/** The number of such keys, and a missing page of the first. */
export interface Torn extends MissingPage {
  readonly keys: number
}

export const reportTorn = (notice: Notice, { name }: Topic, torn: Torn | undefined): void => {
  if (torn === undefined) return
  const key = Buffer.from(torn.key, 'latin1').toString('hex')
  notice('view_rows_torn', { topic: name, key, page: torn.page, keys: torn.keys })
}
