// Opens the pages of this thread's tasks and views: in memory, and on disk beyond a limit.
import { openScratchPages } from '../../data-dir/scratch-pages.ts'
import type { PageStore } from '../../ports/keyed-pages.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'

/** Call it before the parts that use the pages: they are closed first then. */
export const openPages = ({ dataDir }: Settings, closing: Closing): PageStore => {
  const pages = openScratchPages(dataDir)
  closing.add('scratch file', () => pages.close())
  return pages
}
