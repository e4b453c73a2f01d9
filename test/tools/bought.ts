// What a buyer of an answer keeps.

/** A body without what is of its sending: how old it is, and whether it was sent before. */
export const boughtIn = (body: string): string => {
  const { meta, ...rest } = JSON.parse(body) as { readonly meta: Readonly<Record<string, unknown>> }
  const { feed_lag_s: _lag, is_stale: _stale, result_age_s: _age, replayed: _replayed, ...kept } = meta
  return JSON.stringify({ ...rest, meta: kept })
}
