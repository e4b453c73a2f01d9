// Parts of `/health`: detection times, and the lags of views and history with their limits.
import { explain } from '../../../processors/mint/card/explain.ts'
import type { Detection, Measured, ViewLags } from '../../../topology/ports/chain-view.ts'
import { NO_HISTORY } from '../cards/base-rates.ts'
import { behindText, secondsBehind } from '../market/figures-behind.ts'
import type { Look, Service } from '../service.ts'

/** Limit of unread records per topic: a few seconds of work at ten times the current load. */
const VIEW_RECORDS_MAX = 20_000
/** Limit of the stream time between applied and shown frames, seconds. */
const VIEW_BEHIND_S_MAX = 5
/** Limit of the history's lag, seconds: it is written in batches, and its figures are of whole minutes. */
const HISTORY_BEHIND_S_MAX = 120
const S = 1_000

const times = (measured: Measured) => {
  const reason = measured.ok ? '' : measured.reason
  return {
    ...explain({ p50: measured.ok ? measured.p50Ms : null, p99: measured.ok ? measured.p99Ms : null }, { p50: reason, p99: reason }),
    n_frames: measured.ok ? measured.frames : 0,
  }
}

/** Percentiles over the newest frames, or the reason for nulls. */
export const detectionPart = ({ fromArrival, fromBlock }: Detection) => ({
  detection_ms: { ...times(fromArrival), from_block_time: times(fromBlock) },
})

/** Every topic that the views consume, with its unread records. */
export const viewsPart = ({ views, streamMsBehind }: ViewLags) =>
  explain(
    {
      views: views.map(({ view, recordsBehind }) => ({ view, records_behind: recordsBehind })),
      views_behind_ms: streamMsBehind,
    },
    { views_behind_ms: 'there are unread records, whose times are not known before they are read' },
  )

const historyBehindS = ({ options: { history } }: Service, { status }: Look): number | null => {
  const upTo = history?.status().upTo ?? null
  return upTo === null || status.folded === null ? null : Math.max(0, status.folded.time - upTo)
}

/** Progress of the history; the process's log has the details of its errors. */
export const historyPart = (service: Service, instant: Look) => {
  const { history } = service.options
  if (history === undefined) return { history: null, history_reason: NO_HISTORY }
  const { rows, upTo, trouble, store } = history.status()
  const behindS = historyBehindS(service, instant)
  const noSink = 'no sink of this process has written to the history yet; figures of the history state their time in as_of'
  return {
    history: {
      ok: trouble === null && store === 'up',
      rows_written: rows,
      ...explain({ up_to: upTo, behind_ms: behindS === null ? null : behindS * S }, { up_to: noSink, behind_ms: noSink }),
    },
  }
}

/** Lags above their limits, as `code: sentence`. */
export const lagText = (service: Service, instant: Look, { views, streamMsBehind }: ViewLags): string[] => {
  const texts: string[] = []
  for (const { view, recordsBehind } of views)
    if (recordsBehind > VIEW_RECORDS_MAX)
      texts.push(`view_behind: ${recordsBehind} records of ${view} are not read yet, the limit is ${VIEW_RECORDS_MAX}`)
  if (streamMsBehind !== null && streamMsBehind > VIEW_BEHIND_S_MAX * S)
    texts.push(`view_behind: answers are ${streamMsBehind / S} s behind the newest applied frame, the limit is ${VIEW_BEHIND_S_MAX} s`)
  texts.push(...storeText(service))
  if (service.options.rates?.isAlone)
    texts.push('limits_in_memory: the shared store of rate limits does not respond; this process counts callers separately')
  const behindS = historyBehindS(service, instant)
  if (behindS !== null && behindS > HISTORY_BEHIND_S_MAX)
    texts.push(`history_behind: the history is ${behindS} s behind the newest applied frame, the limit is ${HISTORY_BEHIND_S_MAX} s`)
  return [...texts, ...figureText(service, instant)]
}

const storeText = ({ options: { history } }: Service): string[] => {
  if (history === undefined) return []
  const { trouble, store } = history.status()
  if (trouble !== null || store === 'down') return ['history: the history store is not available; cards are answered without it']
  return store === 'up' ? [] : ['history_busy: the history store did not answer every query of the last 10 s in time; some answers are 503']
}

const figureText = ({ options: { history } }: Service, instant: Look): string[] => {
  const regime = history?.regime()
  const [wallets, market] = [
    secondsBehind(history?.ranks()?.asOf ?? null, instant),
    secondsBehind(regime?.ok ? regime.asOf : null, instant),
  ]
  return [
    ...(wallets === null ? [] : [`wallets_${behindText('ranks of wallets', wallets)}`]),
    ...(market === null ? [] : [`regime_${behindText('figures of the market', market)}`]),
  ]
}
