// `/v1/check/coverage`: whether mints can be checked, and the prices; free.
import { explain } from '../../../processors/mint/card/explain.ts'
import { coverageOf } from '../../../processors/mint/card/moment.ts'
import { assert } from '../../../schemas/errors.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { Coverage } from '../../answer-schemas/check.ts'
import { type Answer, RESTORING_UNPAID } from '../../questions/bodies.ts'
import { enveloped, type RequestContext } from '../question.ts'
import type { Service } from '../service.ts'
import { mintsParam, UNSEEN } from './check-inputs.ts'
import { checkOf } from './check-watch.ts'

export const coverageParams = { mints: mintsParam }

/** The reason of full coverage. */
const FULL = 'its launch was witnessed, and no event of it was missed since'

/** Reports a stale feed instead of refusing. */
export const answerCoverage = ({ mints }: { readonly mints: readonly Key[] }, ask: RequestContext): Answer => {
  const { service, instant } = ask
  if (!instant.status.ready) return RESTORING_UNPAID
  const items = mints.map((mint) => {
    const head = service.options.view.get(mint)?.head
    const { coverage, reason } = head === undefined ? ({ coverage: 'thin', reason: UNSEEN } as const) : coverageOf(head, instant.moment)
    return { mint: keyText(mint), coverage, reason: reason ?? FULL }
  })
  const isFull = items.every(({ coverage }) => coverage === 'full')
  const data: Coverage = {
    items,
    all_full: isFull,
    ...explain({ feed_lag_s: instant.feed.feedLagS }, { feed_lag_s: instant.feed.feedLagReason ?? '' }),
    prices: { single_usd: priceUsd(service, '/v1/check/mint/{mint}'), watchlist_usd: priceUsd(service, '/v1/check/watchlist') },
  }
  const names = items.map(({ mint }) => mint)
  return enveloped(ask, { coverage: isFull ? 'full' : 'thin', data: JSON.stringify(data), next: nextOf(names, isFull) })
}

const priceUsd = (service: Service, path: string): number => {
  const question = service.options.questions.find((one) => one.path === path)
  assert(question !== undefined, `${path} is not in the list`)
  return service.priceUsd(question)
}

/** Only links that return an answer: checks and watches need full coverage of all mints. */
const nextOf = (mints: readonly string[], isFull: boolean): string =>
  JSON.stringify(
    isFull ? { check: checkOf(mints), watch: `/v1/check/watch?mints=${mints.join(',')}` } : { launches: '/v1/launches/recent' },
  )
