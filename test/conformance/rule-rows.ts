// Rows of the contract about errors, limits and rules. Each names a request that causes it, or the file and title of its test.

import { pushRules } from './push-rules.ts'
import { rankedRules } from './ranked-rules.ts'
import { type RuleRow, rule } from './rule-row.ts'

export interface ErrorRow {
  readonly status: number
  readonly where: string
  /** A request that gets this error; `MINT` is a covered mint, `UNSEEN` one never observed. */
  readonly request: string
  readonly charged: false | 'not stated'
}
const UNPAID_PATHS = [
  '/v1/mint/MINT',
  '/v1/launches/recent',
  '/v1/launches/since',
  '/v1/rugs/recent',
  '/v1/graduations/recent',
  '/v1/creator/MINT',
  '/v1/wallet/MINT',
  '/v1/cohort/mint/MINT',
  '/v1/check/mint/MINT',
  '/v1/check/watchlist?mints=MINT',
]
const BARE_PATHS = ['/v1/mint', '/v1/creator', '/v1/wallet', '/v1/cohort/mint', '/v1/alt/curve']
const error = (status: number, where: string, request: string, charged: ErrorRow['charged'] = 'not stated'): ErrorRow => ({
  status,
  where,
  request,
  charged,
})

export const errorRows: readonly ErrorRow[] = [
  error(400, 'compact checks: invalid mint list', '/v1/check/watchlist?mints=MINT,MINT', false),
  error(400, 'compact checks: invalid mint', '/v1/check/mint/nonsense', false),
  error(400, 'compact checks: invalid cursor', '/v1/check/mint/MINT?cursor=forged', false),
  error(400, 'compact checks: invalid cursor of a list', '/v1/check/watchlist?mints=MINT&cursor=forged', false),
  ...UNPAID_PATHS.map((path) => error(402, `payment required: ${path}`, path)),
  ...BARE_PATHS.map((path) => error(402, `bare path, for crawlers: ${path}`, path)),
  ...BARE_PATHS.map((path) => error(404, `not an address: ${path}`, `${path}/nonsense`)),
  error(404, 'compact checks: coverage missing', '/v1/check/mint/UNSEEN', false),
  error(404, 'compact checks: coverage of one of several missing', '/v1/check/watchlist?mints=MINT,UNSEEN', false),
  error(422, 'launches: limit', '/v1/launches/recent?limit=0'),
  error(400, 'launches since: forged cursor', '/v1/launches/since?since=forged', false),
  error(422, 'launches since: limit', '/v1/launches/since?since=0&limit=101', false),
  error(422, 'launches since: since missing', '/v1/launches/since?limit=10', false),
  error(422, 'radar: limit', '/v1/radar?limit=26'),
  error(422, 'rugs: window_s', '/v1/rugs/recent?window_s=59'),
  error(422, 'graduations: limit', '/v1/graduations/recent?limit=101'),
  error(422, 'watchlist: mints missing', '/v1/check/watchlist?mints='),
  error(422, 'free coverage: mints', '/v1/check/coverage?mints=nonsense'),
  error(422, 'free watch: mints', '/v1/check/watch?mints=nonsense'),
  error(422, 'mints: more than 224 characters', `/v1/check/coverage?mints=${'1'.repeat(225)}`),
  error(422, 'mints: more than 5', `/v1/check/coverage?mints=${Array.from({ length: 6 }, () => '1'.repeat(32)).join(',')}`),
  error(422, 'cursor: more than 1024 characters', `/v1/check/watch?mints=MINT&cursor=${'c'.repeat(1_025)}`),
]

const ALT = 'test/integration/api-curves.test.ts'
const CHECKS = 'test/integration/api-check-rules.test.ts'
const CURSORS = 'test/integration/api-check-cursors.test.ts'
const CHECK = 'test/integration/api-check.test.ts'
const BUYING = 'test/integration/payment/buying.test.ts'
const FAULTS = 'test/integration/payment/faults.test.ts'
const CLIENTS = 'test/e2e/clients/clients.test.ts'
const MCP = 'test/integration/mcp/api-mcp.test.ts'
const SAMPLES = 'test/integration/api-samples.test.ts'
const MINT_CARD = 'test/integration/api-mint.test.ts'

/** Rows that other test files check. */
export const ruleRows: readonly RuleRow[] = [
  rule('402: header PAYMENT-REQUIRED is base64 of the body', BUYING, 'the 402 has the same terms in header and body, to the letter'),
  rule('409: payment and request do not fit', BUYING, 'on another route, or with other arguments: 409, nothing run, nothing charged'),
  rule('409: outcome not known, charged null', FAULTS, '%s: 409 with charged null, then the stored answer, paid once'),
  rule('410: cursor older than 24 hours, unpaid', CHECKS, 'a cursor older than 24 h is a 410, unpaid: %s'),
  rule(
    '429: Retry-After, nothing charged',
    'test/integration/api-limits.test.ts',
    'above the limit is a 429 in the contract’s shape with Retry-After; other callers go on',
  ),
  rule('503: feed lag above 5 s, unpaid', CHECKS, '503: a feed more than 5 s behind: %s'),
  rule('503: checks unavailable, unpaid', CHECKS, '503: no data yet, and stores that restore: %s'),
  rule('503: retry store fails before a settlement', FAULTS, 'before the settlement: 503 and nothing is settled'),
  rule(
    'retry store fails after a settlement',
    FAULTS,
    'after it: the paid answer is sent anyway, and a retry finds the settlement on the chain',
  ),
  rule(
    'valid card queries never answer 404 for lack of data',
    MINT_CARD,
    'a mint never observed is a thin card with status not_observed, whatever was requested before',
  ),
  rule(
    'creator: empty record of a wallet never seen',
    'test/integration/api-creator.test.ts',
    'a wallet that never launched and was never paid is 200, empty, with reasons',
  ),
  rule(
    'wallet: 200 for a wallet of which nothing is known',
    'test/integration/api-wallet.test.ts',
    'an unknown wallet is 200, with reasons',
  ),
  rule(
    'check rule 1: full live coverage, else unpaid',
    CHECKS,
    '404: a mint without full live coverage, with the reason, before payment is required',
  ),
  rule('check rule 2: invalid list or cursor, unpaid', CHECKS, '400 on the paid list, unpaid, 422 on the free ones: %s'),
  rule('check rule 3: no new events, unpaid', CURSORS, 'is the unpaid answer, with and without a payment; the payment stays untouched'),
  rule(
    'check rule 5: an exact retry within 10 minutes',
    BUYING,
    'sent again identically: same answer, same receipt, nothing charged, no call to the facilitator',
  ),
  rule(
    'check rule 5: timestamps give the age of a repeated answer',
    'test/integration/payment/check-sold.test.ts',
    'a check is sold once; the same payment returns the same result, with its current age',
  ),
  rule('check rule 6: the free coverage route', CHECKS, 'lists the coverage of each mint with its reason, the lag and the prices'),
  rule('check rule 7: one price for 1 to 5 mints', CHECKS, 'the list costs the same for %i mints'),
  rule('check item: all fields', CHECK, 'has every field of the contract’s check item'),
  rule('check result: 1 to 5 items', CHECK, 'of three mints has them in the requested order, for one price'),
  rule('evidence of each finding code', CHECK, 'has the evidence of all six mechanisms, and no null without its reason'),
  rule('watch events move a cursor', CURSORS, 'moves on each step of the lifecycle'),
  rule(
    'the free watch gives no event details',
    CURSORS,
    'of the free watch starts at the present state, and the free watch gives no event details',
  ),
  rule('limit: retry cache of 10 minutes', BUYING, 'is used up after 10 minutes, and still refused 23 hours later'),
  rule(
    'limit: cursor lifetime',
    'test/unit/query-api/cursors.test.ts',
    'a cursor expires a day after its issue, by the clock of its issuer',
  ),
  rule('limit: mints of 224 characters', CHECKS, '224 characters are allowed: five addresses of 44'),
  rule('limit: is_stale above 30 s, cards and lists', MINT_CARD, '%d ms behind: is_stale %s, confidence %s'),
  rule('limit: is_stale above 5 s, compact checks', CHECKS, 'reports a stale feed instead of refusing, and 503 while stores restore'),
  rule(
    'limit: samples are at least 300 s old',
    SAMPLES,
    'whatever the ages of launches, flags and trades, samples show none younger than 300 s, and each null has a reason',
  ),
  rule(
    'sample launches: 3 items, delayed',
    SAMPLES,
    'shows the three newest launches that are at least 600 s old, newest first, with the delay',
  ),
  rule('sample rugs: 3 items, delayed', SAMPLES, 'shows the three newest flags that are at least 300 s old, in the paid shape'),
  rule('sample mint: the paid shape', SAMPLES, 'is the card that was sold 300 s ago, of a launch that was at least 300 s old'),
  rule(
    'limit: creator history of 25',
    'test/unit/processors/creator/creator.test.ts',
    'keep the newest 25 launches one by one, and count all',
  ),
  rule(
    'limit: funding look-back of 30 minutes',
    'test/unit/processors/wallet/wallet.test.ts',
    'a payment more than half an hour old does not count, and is deleted later',
  ),
  rule(
    'limit: holdings of the last 3000 mints',
    'test/integration/api-wallet.test.ts',
    'are searched in at most 3,000 mints, yielding to other requests meanwhile',
  ),
  rule(
    'limit: leaderboard of 3 days',
    'test/integration/history-wallets.test.ts',
    'the window moves: trades older than 3 days do not count',
  ),
  rule(
    'limit: graduated if witnessed at 84 SOL or above',
    'test/unit/processors/mint/card-labels.test.ts',
    'follows the curve from live to the pool',
  ),
  rule(
    'limit: payment before maxTimeoutSeconds',
    'test/integration/payment/refusals.test.ts',
    'an expired blockhash is refused, a fresh one is not',
  ),
  rule(
    'limit: full coverage ends after 2 h of silence',
    'test/unit/processors/mint/card-labels.test.ts',
    'is thin after more than 2 h of silence',
  ),
  rule(
    'the prior of a creator does not look ahead',
    'test/integration/look-ahead.test.ts',
    'output about the frames before each of the random cuts stays unchanged, and later frames add none about them',
  ),
  rule('launches: newest first', 'test/integration/api-launches.test.ts', 'are newest first, whatever the order of arrival'),
  rule('rugs: newest first', 'test/integration/api-rugs.test.ts', 'is newest first; within a second, the later position comes first'),
  rule(
    'graduations: fields and labels',
    'test/integration/api-graduations.test.ts',
    'an item has the fields of the contract, and each is explained',
  ),
  rule('nulls of cards come with a reason', MINT_CARD, '%s: no null without its reason'),
  rule('untrusted text: hidden characters removed', 'test/unit/processors/text.test.ts', 'removes %s'),
  rule('untrusted text: lengths capped', 'test/unit/processors/text.test.ts', 'truncates by characters, never through a surrogate pair'),
  rule('payment by header, receipt on the 200', BUYING, 'gets the answer with a receipt, the balances move, and the payer needs no SOL'),
  rule('any x402 version 2 client pays', CLIENTS, 'the official fetch client buys the answer'),
  rule('MCP: payment in params._meta', CLIENTS, 'the official MCP client %s buys the answer by revision %s'),
  rule('MCP: tools by name, stateless, JSON', MCP, 'has a tool for each question with a tool name, with price, freshness and limits'),
  rule(
    'MCP: the batch tool takes an array of mints',
    MCP,
    'lists of mints are JSON arrays or their text, and a check of one mint takes `mint`',
  ),
  rule(
    'a second network for the compact checks',
    'test/integration/payment/evm.test.ts',
    'compact checks offer both networks, everything else the first alone',
  ),
  rule(
    'bare paths settle nothing',
    'test/integration/api-every-route.test.ts',
    'a bare probe of %s gets the 402 of %s, also while stores restore, and reads no view',
  ),
  rule('all routes use GET', 'test/integration/api-every-route.test.ts', '%s %s is a 405 with Allow'),
  rule('free routes need no credential', 'test/integration/api-every-route.test.ts', '%s is free, and answers'),
  rule(
    '/openapi.json: payment info per paid operation',
    'test/integration/api-discovery.test.ts',
    'names prices and 402 where there is a price, and nowhere else',
  ),
  rule(
    '/v1/x402/resources: terms, schema, example, tool',
    'test/integration/api-discovery.test.ts',
    'the catalog has every paid question with price, schema and example',
  ),
  rule(
    '/.well-known/x402: the fields of the draft and of older crawlers, and terms',
    'test/integration/api-discovery.test.ts',
    'the manifest has the fields of the discovery draft and those that older crawlers read',
  ),
  rule('plain texts', 'test/integration/api-discovery.test.ts', '%s is plain text'),
  rule('/health: lag, last slot, mints tracked, counters', 'test/integration/api-health.test.ts', 'has the shape of the contract'),
  rule('limit: alt chain, graduation from 4.2 ETH', ALT, 'progress is toward the threshold of the launch, 4.2 ETH'),
  rule(
    'limit: alt chain, full coverage ends after 2 h of silence; the reason for an unknown address cites 6 hours',
    ALT,
    'is thin for a curve that was silent for two hours; the reason for an unknown address names six hours',
  ),
  ...rankedRules,
  ...pushRules,
  rule('/v1/labels: every label, flag and field', 'test/integration/api-free.test.ts', 'explain every field of every kind of card'),
]
