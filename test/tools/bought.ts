// The part of a paid answer that stays the same when it is sent again.

/** A body without the fields of one delivery: its age, and whether it is a replay. */
export const boughtIn = (body: string): string => {
  const { meta, ...rest } = JSON.parse(body) as { readonly meta: Readonly<Record<string, unknown>> }
  const { feed_lag_s: _lag, is_stale: _stale, result_age_s: _age, replayed: _replayed, ...kept } = meta
  return JSON.stringify({ ...rest, meta: kept })
}
