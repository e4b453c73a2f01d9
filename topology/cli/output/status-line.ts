// A one-line status of the process, updated in place on a terminal.
import type { MintView } from '../../ports/mint-view.ts'
import type { SourceStatus } from '../../ports/source-status.ts'

const EVERY_MS = 500

interface Shown {
  readonly view: MintView
  readonly source: SourceStatus
  readonly terminal: boolean
}

/** Shows the status of view and source until the returned function is called. */
export const showStatus = ({ view, source, terminal }: Shown): (() => void) => showLine(terminal, () => statusText(view, source))

/** Shows a line until the returned function is called; nothing if stderr is not a terminal. */
export const showLine = (terminal: boolean, text: () => string): (() => void) => {
  if (!terminal) return () => {}
  const timer = setInterval(() => process.stderr.write(`\r\x1b[2K${text()}`), EVERY_MS)
  return () => {
    clearInterval(timer)
    process.stderr.write('\r\x1b[2K')
  }
}

/** The text of the line. */
export const statusText = (view: MintView, source: SourceStatus): string => {
  const { folded, tracked, counters } = view.status()
  const behind = (source.tip()?.number ?? 0) - (folded?.number ?? 0)
  return `slot ${folded?.number ?? '-'}  behind ${Math.max(0, behind)}  mints ${tracked}  events ${counters.events}  flags ${counters.flags}  gaps ${counters.gaps}  dead letters ${counters.dead_letters}`
}
