// What the fields around `data`, of refusals and of `/health` mean, by dotted path.

export const envelopeFields = {
  ok: 'true on success',
  schema_version: 'version of these shapes',
  generated_at: 't as date and time, UTC',
  t: 'unix seconds at which the answer was made, on the clock of the cards: the wall for live sources, stream time for recordings. Ages and lags are against it; the HTTP Date header is always the wall',
  coverage: 'see coverage',
  data: 'the answer',
  meta: 'how fresh and how sure the answer is',
  'meta.source': 'what the events come from',
  'meta.version': 'version of the service',
  'meta.feed_lag_s': 'time of sending less the time of the newest folded slot, seconds; null before the first slot',
  'meta.is_stale': 'feed_lag_s is above max_feed_lag_s or unknown; counts of the last 60 s then say little',
  'meta.last_slot': 'newest folded slot; null before the first',
  'meta.price_usd':
    'what this answer costs; 0 for free routes, where payments are off, where a check had nothing new, and with unpaid_reason',
  'meta.unpaid_reason':
    'why a card that has a price was given for nothing: there is nothing to sell yet; absent where it was sold, and on free routes',
  'meta.next': 'paths that lead on, relative to the base address',
  'meta.labels': 'path of this page',
  'meta.disclaimer': 'what the answer is not',
  'meta.max_feed_lag_s': 'limit of is_stale for this route, seconds',
  'meta.chain_lag_s': 't less the time of the newest slot that the source saw, seconds; null before the first',
  'meta.slots_behind': 'slots that the source saw and that are not folded yet; null before the first',
  'meta.tape_behind': 'slots_behind is above 2',
  'meta.delayed_s':
    'free samples: all that is shown of mints and flags is as of so many seconds ago; of mints, only those that have not changed since; absent where nothing is held back',
  'meta.freshness_checked_at':
    'when the freshness of what is shown was judged, unix seconds on the clock of the cards; for paid answers after the payment was verified',
  'meta.feed_lag_at_generation_s': 'feed_lag_s when the answer was made',
  'meta.result_age_s':
    'from when the answer was made until it was sent, settlement included, seconds by the wall; feed_lag_s and is_stale are of the sending',
  'meta.replayed': 'true for an answer that was bought before and is given again for the same payment',
  'meta.untrusted_text_note': 'how to read name and symbol',
  'meta.sandbox': 'true where payments are play money; absent otherwise',
}

export const healthFields = {
  ok: 'false only while nothing can be served (status 503)',
  t: 'as in the envelope',
  uptime_s: 'whole seconds since this process began to serve, by the wall',
  'sources[].chain': 'chain that is followed',
  'sources[].tip': 'newest slot that the source saw; null before the first',
  'sources[].folded': 'newest slot in the cards; null before the first',
  'sources[].feed_lag_s': 'as meta.feed_lag_s',
  'sources[].chain_lag_s': 'as meta.chain_lag_s',
  'sources[].slots_behind': 'as meta.slots_behind',
  'sources[].finality': 'how sure the chain is of the folded slot; null before the first',
  'sources[].confirmed':
    'slots up to this one are confirmed; null where the source says nothing of it: each slot then came as sure as it will be',
  'sources[].finalized': 'slots up to this one cannot be dropped; null as above',
  mints_tracked: 'mints with rows',
  curves_tracked: 'curves of the alt chain with rows; 0 where that chain is not followed',
  'counters.frames': 'slots folded since the stores began',
  'counters.events': 'events folded',
  'counters.flags': 'flags that fired',
  'counters.dead_letters': 'records that could not be understood',
  'counters.gaps': 'ranges of slots that were never delivered',
  'counters.forks': 'times that the chain took slots back',
  'detection_ms.p50':
    'milliseconds from when this process had a frame (serve: read it from the log) until cards, lists and flags show it, by the wall; median of the newest frames, at most 2,048',
  'detection_ms.p99': 'the same, 99th percentile',
  'detection_ms.n_frames': 'frames measured; of frames that came at once the newest',
  'detection_ms.from_block_time.p50':
    'the same from the time of the block, which is in whole seconds: up to 1,000 ms of it are rounding. On the clock of the cards',
  'detection_ms.from_block_time.p99': 'the same, 99th percentile',
  'detection_ms.from_block_time.n_frames': 'frames measured',
  'views[].view': 'topic of the log that the answers are made from',
  'views[].records_behind': 'records of it that are on the log and not shown yet, at most: compaction leaves holes',
  views_behind_ms: 'stream time between the newest frame that is folded and the newest that is shown',
  history: 'the history store as this process sees it; null where none is kept',
  'history.ok': 'the history store answers, and its figures are kept fresh',
  'history.rows_written': 'rows that the sink of this process has written',
  'history.up_to': 'every row up to this tick is in the history, unix seconds',
  'history.behind_ms': 'stream time between the newest folded slot and up_to',
  version: 'as meta.version',
  'degraded[]': 'what is wrong, `code: sentence`; empty when nothing is',
}

export const errors = {
  shape: '{ok: false, error, hint}: error is a stable code, hint says what to do; charged: false where a paid question was refused unpaid',
  400: 'the request is not HTTP as this service reads it, the payment header cannot be read, or (compact checks) invalid_mint, invalid_mints: no address or not distinct, invalid_cursor: forged or of other mints; the free check routes answer 422 to these',
  402: 'payment required: the body is the x402 version 2 payment-required body, the header PAYMENT-REQUIRED the same in base64. A path without its address (or with {mint} itself), no query and no payment, answers 402 too',
  403: 'foreign_origin: /mcp of a server for this machine only, asked in the name of another',
  404: 'unknown path, a path parameter that is no address, coverage_missing: a mint of a compact check lacks full live coverage, or unknown_finding; nothing is charged',
  405: 'routes answer GET and HEAD, /mcp answers POST; HEAD never runs nor settles a paid question',
  408: 'the request did not arrive in time',
  409: 'payment and request do not fit, or the outcome of the settlement is not known (charged: null)',
  410: 'cursor_expired: the watch cursor is older than 24 h; nothing is charged',
  413: 'questions take no body; a message to /mcp has its limit',
  414: 'path and query are too long',
  415: '/mcp takes bodies as they are, without Content-Encoding',
  422: '{detail: [{type, loc, msg, input, ctx}]} in the shape of FastAPI and pydantic 2. A parameter given twice is multiple_values. Paid routes refuse unknown query parameters (extra_forbidden, with the nearest name) before payment, charged: false; free ones ignore them',
  429: 'rate_limited: too many requests of an address, too many payments of a payer, or too many at a time; see limits. Retry-After says when to come back. charged is null where a payment came along that was not read',
  431: 'headers are too large',
  500: 'a fault of the service; request_id names it',
  503: 'nothing true can be said now (restoring, feed_unavailable: no frame was captured yet or the feed was not fresh yet, feed_stale: more than 5 s behind on compact checks, news_taken_back: by a fork in this moment, history_unavailable, unavailable: something this service needs does not answer, busy, streams_full) or nothing can be sold (payment_unavailable, payment_store_unavailable, payment_busy, answer_too_large); Retry-After says when to try again',
}

export const nulls = 'null is never a guess: beside each null field stands <field>_reason'
