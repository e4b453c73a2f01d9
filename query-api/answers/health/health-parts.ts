// Parts of `/health`: detection times, and how far views and history are behind, with what is too much.
import { explain } from '../../../processors/mint/card/explain.ts'
import type { Detection, Measured, ViewLags } from '../../../topology/ports/chain-view.ts'
import { NO_HISTORY } from '../cards/base-rates.ts'
import { behindWords, secondsBehind } from '../market/figures-behind.ts'
import type { Look, Service } from '../service.ts'

/** More unread records of one topic than this are told: seconds of work at ten times today's load. */
const VIEW_RECORDS_MAX = 20_000
/** More stream time between the folds and what is shown is told, seconds. */
const VIEW_BEHIND_S_MAX = 5
/** The history is written in batches, and its figures are of whole minutes: more than this is told, seconds. */
const HISTORY_BEHIND_S_MAX = 120
const S = 1_000

const times = (measured: Measured) => {
  const reason = measured.ok ? '' : measured.reason
  return {
    ...explain({ p50: measured.ok ? measured.p50Ms : null, p99: measured.ok ? measured.p99Ms : null }, { p50: reason, p99: reason }),
    n_frames: measured.ok ? measured.frames : 0,
  }
}

/** Percentiles over the newest frames, or why there are none. */
export const detectionPart = ({ fromArrival, fromBlock }: Detection) => ({
  detection_ms: { ...times(fromArrival), from_block_time: times(fromBlock) },
})

/** Every topic that the views follow, and how much of it they have not read. */
export const viewsPart = ({ views, streamMsBehind }: ViewLags) =>
  explain(
    {
      views: views.map(({ view, recordsBehind }) => ({ view, records_behind: recordsBehind })),
      views_behind_ms: streamMsBehind,
    },
    { views_behind_ms: 'records are unread, and how new they are is not known before they are read' },
  )

const historyBehindS = ({ options: { history } }: Service, { status }: Look): number | null => {
  const upTo = history?.status().upTo ?? null
  return upTo === null || status.folded === null ? null : Math.max(0, status.folded.time - upTo)
}

/** How far the rows of the history are; what is wrong with it in full is in the log of the process. */
export const historyPart = (service: Service, look: Look) => {
  const { history } = service.options
  if (history === undefined) return { history: null, history_reason: NO_HISTORY }
  const { rows, upTo, trouble } = history.status()
  const behindS = historyBehindS(service, look)
  const untold = 'no sink of this process has written to it yet; figures of the history say as_of'
  return {
    history: {
      ok: trouble === null,
      rows_written: rows,
      ...explain({ up_to: upTo, behind_ms: behindS === null ? null : behindS * S }, { up_to: untold, behind_ms: untold }),
    },
  }
}

/** What is further behind than it should be, `code: sentence`. */
export const lagWords = (service: Service, look: Look, { views, streamMsBehind }: ViewLags): string[] => {
  const words: string[] = []
  for (const { view, recordsBehind } of views)
    if (recordsBehind > VIEW_RECORDS_MAX)
      words.push(`view_behind: ${recordsBehind} records of ${view} are not read yet, the limit is ${VIEW_RECORDS_MAX}`)
  if (streamMsBehind !== null && streamMsBehind > VIEW_BEHIND_S_MAX * S)
    words.push(`view_behind: what is shown is ${streamMsBehind / S} s behind what is folded, the limit is ${VIEW_BEHIND_S_MAX} s`)
  if (service.options.history !== undefined && service.options.history.status().trouble !== null)
    words.push('history: the history store cannot be used now; cards are answered without it')
  if (service.options.rates?.isAlone)
    words.push('limits_in_memory: the store that processes share does not answer; this one counts callers for itself')
  const behindS = historyBehindS(service, look)
  if (behindS !== null && behindS > HISTORY_BEHIND_S_MAX)
    words.push(`history_behind: the history is ${behindS} s behind what is folded, the limit is ${HISTORY_BEHIND_S_MAX} s`)
  return [...words, ...figureWords(service, look)]
}

const figureWords = ({ options: { history } }: Service, look: Look): string[] => {
  const regime = history?.regime()
  const [wallets, market] = [secondsBehind(history?.ranks()?.asOf ?? null, look), secondsBehind(regime?.ok ? regime.asOf : null, look)]
  return [
    ...(wallets === null ? [] : [`wallets_${behindWords('ranks of wallets', wallets)}`]),
    ...(market === null ? [] : [`regime_${behindWords('figures of the market', market)}`]),
  ]
}
