// Rows about routes, parameters, typical times and errors, as requests to a demo.
import { type ParameterRow, parameterRows, type RouteRow, routeRows, typicalRows } from '../../conformance/rows.ts'
import { errorRows } from '../../conformance/rule-rows.ts'
import { ALERT_QUERY, ALERTS, type Answers, UNSEEN } from './answers.ts'
import type { Demo, Json, Reply } from './demo.ts'
import { judged, type Verdict } from './verdict.ts'

const MICRO = 1e6
/** Query parameters that a route needs. */
const neededBy = (path: string, mint: string): Readonly<Record<string, string>> => {
  if (/watch|coverage/.test(path)) return { mints: mint }
  if (path === ALERTS) return Object.fromEntries(new URLSearchParams(ALERT_QUERY))
  return path === '/v1/launches/since' ? { since: '0' } : {}
}
const requestOf = (path: string, mint: string, finding: string): string => {
  const query = new URLSearchParams(neededBy(path, mint))
  return path.replace('{finding_id}', finding).replaceAll(/\{\w+\}/g, mint) + (query.size === 0 ? '' : `?${query}`)
}
const argumentsOf = (path: string, mint: string): Json => {
  const { mints, ...needed } = neededBy(path, mint)
  const inPath = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, mint]))
  return { ...inPath, ...needed, ...(mints !== undefined && { mints: [mints] }) }
}

const PROOF = '/v1/odds/proof'
/** Such a value is never logged. */
const UNLOGGED = `solana:1.~@00000000:odds:${UNSEEN}:rug_within_300s:0000000000000000`

/** The proof of a value logged for the mint; if there is none, the refusal with the reason. */
const proofFault = async (demo: Demo, mint: string): Promise<string | undefined> => {
  const { data } = (await demo.get(`/v1/outcomes/${mint}`)).body as { readonly data?: { readonly odds?: readonly Json[] | null } }
  const [logged] = data?.odds ?? []
  const { status, body, text } = await demo.get(String(logged?.proof_url ?? `${PROOF}?id=${UNLOGGED}`))
  const isRight = logged === undefined ? status === 404 && body.error === 'unknown_odds' : status === 200
  return isRight ? undefined : `${status}: ${text.slice(0, 120)}`
}

/** Answers if it is free; if it is sold, for its price, once unpaid and once paid, over HTTP and over MCP. */
const routeFault = async (demo: Demo, row: RouteRow, mint: string, finding: string): Promise<string | undefined> => {
  if (row.path === PROOF) return proofFault(demo, mint)
  const path = requestOf(row.path, mint, finding)
  const asked = await demo.get(path)
  const amount = Math.round(row.priceUsd * MICRO)
  if (row.priceUsd === 0 && asked.status !== 200) return `${asked.status}: ${asked.text.slice(0, 120)}`
  if (row.priceUsd > 0) {
    const [terms] = (asked.body.accepts ?? []) as readonly Json[]
    if (asked.status !== 402 || Number(terms?.amount) !== amount) return `${asked.status}, amount ${terms?.amount}`
    const bought = await demo.buy(path)
    const { price_usd: price } = (bought.body.meta ?? {}) as Json
    if (bought.status !== 200 || price !== row.priceUsd) return `bought: ${bought.status}, meta.price_usd ${price}`
    const receipt = JSON.parse(Buffer.from(bought.headers.get('payment-response') ?? '', 'base64').toString()) as Json
    if (receipt.success !== true) return 'no receipt'
  }
  if (row.tool === null) return undefined
  const unpaid = await demo.call(row.tool, argumentsOf(row.path, mint))
  if (row.priceUsd === 0) return unpaid.isError ? `tool: ${unpaid.text.slice(0, 120)}` : undefined
  const [terms] = (unpaid.body.accepts ?? []) as readonly Json[]
  if (!unpaid.isError || Number(terms?.amount) !== amount) return `tool: amount ${terms?.amount}`
  const paid = await demo.callPaid(row.tool, argumentsOf(row.path, mint))
  return paid.isError || paid.body.ok !== true || paid.meta['x402/payment-response'] === undefined
    ? `tool: ${paid.text.slice(0, 120)}`
    : undefined
}

/** What a route of either chain is queried for. */
const subjectOf = ({ path }: { readonly path: string }, { live, curves }: Answers): string =>
  (path.startsWith('/v1/alt/') ? curves : live)[0] ?? ''

export const holdRoutes = async (demo: Demo, answers: Answers): Promise<readonly Verdict[]> => {
  const finding =
    answers.replies.find(({ path, status }) => path.startsWith('/v1/evidence/') && status === 200)?.path.replace('/v1/evidence/', '') ?? ''
  const verdicts: Verdict[] = []
  for (const row of routeRows) verdicts.push(judged(row.path, await routeFault(demo, row, subjectOf(row, answers), finding)))
  return verdicts
}

/** A request with one value, and valid other ones. */
const withValue = ({ path, name }: ParameterRow, value: string, mint: string): string => {
  const inPath = path.includes(`{${name}}`)
  const base = path.replace(`{${name}}`, encodeURIComponent(value)).replaceAll(/\{\w+\}/g, mint)
  const query = new URLSearchParams(neededBy(path, mint))
  if (!inPath) query.set(name, value)
  return query.size === 0 ? base : `${base}?${query}`
}
const countsOf = ({ body }: Reply): readonly Json[] => {
  const { items, top_graduation: top = [] } = (body.data ?? {}) as Json
  return (items ?? top) as readonly Json[]
}

/** Accepts what is within its bounds and refuses the rest. */
const boundsFault = async (demo: Demo, row: ParameterRow, mint: string): Promise<string | undefined> => {
  const { minimum, maximum } = row.bounds as Readonly<Record<string, number | undefined>>
  const isTaken = async (value: number): Promise<boolean> =>
    [200, 402].includes((await demo.get(withValue(row, String(value), mint))).status)
  for (const value of [minimum, maximum]) if (value !== undefined && !(await isTaken(value))) return `${value} is refused`
  for (const value of [minimum === undefined ? undefined : minimum - 1, maximum === undefined ? undefined : maximum + 1])
    if (value !== undefined && (await demo.get(withValue(row, String(value), mint))).status !== 422) return `${value} is no 422`
  if (row.type === 'integer' && (await demo.get(withValue(row, '1.5', mint))).status !== 422) return '1.5 is no 422'
  return undefined
}

/** Without the parameter as with its default: the same, except for events between the two requests. */
const defaultFault = async (demo: Demo, row: ParameterRow, mint: string): Promise<string | undefined> => {
  const without = countsOf(await demo.buy(requestOf(row.path, mint, '')))
  const same = countsOf(await demo.buy(withValue(row, String(row.bounds.default), mint)))
  const both = without.filter((item) => same.some((other) => (other.mint ?? other.token) === (item.mint ?? item.token))).length
  return Math.max(without.length, same.length) - both <= Math.max(3, without.length / 10)
    ? undefined
    : `${without.length} items, ${same.length} with the default, ${both} in both`
}

/** What a parameter means, of each item. */
const MEANS: Readonly<Record<string, (item: Json, body: Json) => boolean>> = {
  'max_age_s=600': (item) => Number(item.age_s) <= 600,
  'window_s=900': (item, body) => Number(item.t ?? item.migrate_t) >= Math.floor(Number(body.t)) - 900,
  'exclude_mayhem=true': ({ curve }) => (curve as Json).is_mayhem === false,
  'min_rs=2': ({ curve }) => Number((curve as Json).rs_sol) >= 2 && (curve as Json).migrated === false,
  'only_live=true': ({ lifecycle }) => lifecycle === 'live',
  'min_buys=3': ({ flow }) => flow === null || Number((flow as Json).n_buys) >= 3,
  'only_alive=true': ({ curve }) => (curve as Json).complete === false && (curve as Json).migrated === false,
}
const meaningFault = async (demo: Demo, row: ParameterRow, mint: string): Promise<string | undefined> => {
  if (row.name === 'limit') {
    const { length } = countsOf(await demo.buy(withValue(row, '2', mint)))
    return length <= 2 ? undefined : `${length} items for a limit of 2`
  }
  const [rule, isSo] = Object.entries(MEANS).find(([one]) => one.startsWith(`${row.name}=`)) ?? []
  if (rule === undefined || isSo === undefined) return undefined
  const reply = await demo.buy(withValue(row, rule.split('=')[1] ?? '', mint))
  const wrong = countsOf(reply).find((item) => !isSo(item, reply.body))
  return wrong && `${rule} shows ${JSON.stringify(wrong).slice(0, 200)}`
}

/** Addresses, lists of them and cursors: accepted at full length, and not longer. */
const textFault = async (demo: Demo, row: ParameterRow, mint: string): Promise<string | undefined> => {
  const { maxLength = 0 } = row.bounds as Readonly<Record<string, number>>
  const { status } = await demo.get(withValue(row, 'z'.repeat(maxLength + 1), mint))
  const refusals = row.path.includes(`{${row.name}}`) ? [400, 404] : [422]
  if (!refusals.includes(status)) return `${maxLength + 1} characters are ${status}`
  if (!row.required) return undefined
  const bare = await demo.get(row.path.replace(`/{${row.name}}`, '').replaceAll(/\{\w+\}/g, mint))
  return [402, 404, 422].includes(bare.status) ? undefined : `without it: ${bare.status}`
}

export const holdParameters = async (demo: Demo, answers: Answers): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = []
  for (const row of parameterRows) {
    const mint = subjectOf(row, answers)
    const isText = row.type === 'string'
    const fault = isText
      ? await textFault(demo, row, mint)
      : ((await boundsFault(demo, row, mint)) ?? (await defaultFault(demo, row, mint)) ?? (await meaningFault(demo, row, mint)))
    verdicts.push(judged(`${row.path} ${row.name}`, fault))
  }
  return verdicts
}

/** As the catalog publishes them: the times of a run on a busy machine prove nothing. */
export const holdTypical = async (demo: Demo): Promise<readonly Verdict[]> => {
  const { resources } = (await demo.get('/v1/x402/resources')).body as { readonly resources: readonly Json[] }
  return typicalRows.map(({ path, coverage, latencyMs, freshnessS }) => {
    const entry = resources.find((one) => one.path === path) ?? {}
    const thin = (entry.typical_thin ?? {}) as Json
    const [latency, freshness] =
      coverage === 'full' ? [entry.typical_latency_ms, entry.typical_freshness_s] : [thin.latency_ms, thin.freshness_s]
    return judged(`${path} ${coverage}`, latency === latencyMs && freshness === freshnessS ? undefined : `${latency} ms, ${freshness} s`)
  })
}

export const holdErrors = async (demo: Demo, { live }: Answers): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = []
  for (const { status, where, request, charged } of errorRows) {
    const reply = await demo.get(request.replaceAll('UNSEEN', UNSEEN).replaceAll('MINT', live[0] ?? ''))
    const isUnpaid = charged === 'not stated' || reply.body.charged === false
    const hasTerms = status !== 402 || Buffer.from(reply.headers.get('payment-required') ?? '', 'base64').toString() === reply.text
    verdicts.push(
      judged(
        `${status} ${where}`,
        reply.status === status && isUnpaid && hasTerms ? undefined : `${reply.status} ${reply.text.slice(0, 120)}`,
      ),
    )
  }
  return verdicts
}
