// Updates `meta` of a stored answer when it is sent.

interface Meta {
  readonly max_feed_lag_s: number
  readonly feed_lag_at_generation_s: number | null
}

/** Start of `meta`, the last member of every envelope; cannot occur within texts, whose quotes are escaped. */
const META = ',"meta":'
const META_HEAD = `${META}{"source":`
const MS = 1_000

/** Updates feed lag, staleness, age and `replayed`; nothing else changes. @param ageMs since the answer was made, wall clock. */
export const finishBody = (body: string, ageMs: number, isReplayed: boolean): string => {
  const at = body.lastIndexOf(META_HEAD) + META.length
  const meta = JSON.parse(body.slice(at, -1)) as Meta
  const aged = Math.max(0, Math.round(ageMs)) / MS
  const lag = meta.feed_lag_at_generation_s
  const feedLagS = lag === null ? null : Math.round((lag + aged) * MS) / MS
  const isStale = feedLagS === null || feedLagS > meta.max_feed_lag_s
  return `${body.slice(0, at)}${JSON.stringify({ ...meta, feed_lag_s: feedLagS, is_stale: isStale, result_age_s: aged, replayed: isReplayed })}}`
}
