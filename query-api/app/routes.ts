// Routes from the list of questions. A paid route handles in this order: bare probe (402), validation, precheck, payment, answer.
import { parse } from 'node:querystring'
import Router from '@koa/router'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { answerReady } from '../answers/health/ready.ts'
import type { Answered, Question } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import { httpBazaar } from '../discovery/bazaar.ts'
import { answerExample, answerSchema, EXAMPLES_PATH, SCHEMAS_PATH } from '../discovery/linked.ts'
import { type Shown, shownOf } from '../discovery/shown.ts'
import { HttpPayments } from '../http/http-payments.ts'
import { send, sendMethods } from '../http/send.ts'
import type { PaymentGate } from '../payment/gate.ts'
import { extensionsOf } from '../payment/offer-extensions.ts'
import { offerOf, saleOf } from '../payment/sale.ts'
import { refusal } from '../questions/bodies.ts'
import { nearest } from '../questions/nearest.ts'
import type { RawInput } from '../questions/question-facts.ts'
import { STREAM } from '../stream/facts.ts'

const PATH_PARAM = /\{(\w+)\}/g
/** A path segment of this length is taken for an address. */
const ADDRESS = /[^/]{32,}/g

type Handler = (...args: Parameters<Middleware>) => ReturnType<Middleware>
type Ctx = Parameters<Middleware>[0]

/** Adds one router for all questions; unknown paths and methods return 404 or 405 in the contract's shape. */
export const mountRoutes = (app: Koa, questions: readonly Question[], service: Service, gate: PaymentGate): void => {
  const payments = new HttpPayments(gate, service.options.baseUrl)
  const router = new Router({ sensitive: true })
  for (const question of questions) {
    const handler = question.priceMicroUsdc === 0 ? freeHandler(question, service) : paidHandler(question, service, payments)
    router.get(question.path.replaceAll(PATH_PARAM, ':$1'), handler)
    const bare = barePath(question)
    if (bare !== undefined) router.get(bare, handler)
  }
  router.get('/ready', (ctx) => send(ctx, answerReady(service)))
  router.get(`${SCHEMAS_PATH}:file`, (ctx) => send(ctx, answerSchema(service, ctx.params.file ?? '')))
  router.get(`${EXAMPLES_PATH}:file`, (ctx) => send(ctx, answerExample(service, ctx.params.file ?? '')))
  app.use(router.routes())
  app.use(unmatched(questions))
}

/** `/v1/mint` for `/v1/mint/{mint}`: exists for paid routes, because crawlers probe it for a 402. */
const barePath = ({ path, priceMicroUsdc }: Question): string | undefined =>
  priceMicroUsdc > 0 && path.endsWith('}') ? path.slice(0, path.lastIndexOf('/')) : undefined

const freeHandler =
  (question: Question, service: Service): Handler =>
  (ctx) => {
    const prepared = question.prepare(rawInput(ctx))
    return sendOnce(ctx, prepared.ok ? prepared.answer(service) : prepared.refusal)
  }

const paidHandler = (question: Question, service: Service, payments: HttpPayments): Handler => {
  const offer = offerOf(question)
  const bazaar = bazaarOf(question, service)
  const required = requiredParams(question)
  return (ctx) => {
    if (isBareProbe(ctx, required)) return payments.quote(ctx, { offer, extensions: () => extensionsOf(bazaar(), question, service) })
    const prepared = question.prepare(rawInput(ctx))
    if (!prepared.ok) return send(ctx, prepared.refusal)
    return payments.sell(ctx, saleOf(offer, bazaar, prepared, service))
  }
}

/** Returns the same object as long as the example that the service shows is the same. */
const bazaarOf = (question: Question, service: Service): (() => object) => {
  let made: { readonly shown: Shown; readonly bazaar: object } | undefined
  return () => {
    const shown = shownOf(service)
    if (made?.shown !== shown) made = { shown, bazaar: Object.freeze(httpBazaar(question, shown)) }
    return made.bazaar
  }
}

/** Sends synchronously if the answer is not a promise. */
const sendOnce = (ctx: Ctx, answer: Answered): void | Promise<void> =>
  answer instanceof Promise ? answer.then((made) => send(ctx, made)) : send(ctx, answer)

/** No query, no payment, and each required parameter absent or still the template's text (`{name}` or `:name`). */
const isBareProbe = (ctx: Ctx, required: readonly string[]): boolean =>
  required.length > 0 &&
  ctx.querystring === '' &&
  !hasPayment(ctx) &&
  required.every((name) => [undefined, `{${name}}`, `:${name}`].includes(ctx.params[name]))

/** A request with a payment always goes to the gate: the payment may be settled already, with a stored answer. */
const hasPayment = (ctx: Ctx): boolean => ctx.req.headers['payment-signature'] !== undefined

const requiredParams = ({ params }: Question): string[] =>
  Object.entries(params)
    .filter(([, { fallback }]) => fallback === undefined)
    .map(([name]) => name)

const rawInput = (ctx: Ctx): RawInput => ({ path: ctx.params, query: parse(ctx.querystring, '&', '=', { maxKeys: 0 }) })

const unmatched = (questions: readonly Question[]): Middleware => {
  // Paths are compared without the names of their parameters.
  const paths = new Map([...questions, STREAM].map(({ path }) => [path.replaceAll(PATH_PARAM, '{}'), path]))
  const shapes = [...paths.keys()]
  return (ctx) => {
    if (ctx.matched?.length > 0) {
      return sendMethods(ctx, 'GET, HEAD', `${ctx.path} accepts GET and HEAD`)
    }
    const near = paths.get(nearest(ctx.path.replaceAll(ADDRESS, '{}'), shapes) ?? '')
    send(ctx, refusal(404, 'unknown_path', near === undefined ? 'GET / lists all routes' : `did you mean ${near}? GET / lists all routes`))
  }
}
