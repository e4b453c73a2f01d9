// Figures of the API: requests, sales, refusals of haste, streams.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type ApiObserver, LIMITED_BY, SALE_WORDS } from '../../ports/observer.ts'

/** Seconds: most answers take below a millisecond, a settlement may take a minute. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90]
const STREAMS = '/v1/stream/'
const FAULT = 500

/** Registers them; what listens fills them. Label values are routes of the list, statuses and fixed words: a few hundred series. */
export const apiMetrics = (registry: Registry): ApiObserver => {
  const registers = [registry]
  const requests = new Counter({
    name: 'mintfold_http_requests_total',
    help: 'Requests that ended, by route template, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const faults = new Counter({ name: 'mintfold_http_faults_total', help: 'Requests answered 500: faults of the service.', registers })
  const seconds = new Histogram({
    name: 'mintfold_http_request_duration_seconds',
    help: 'From a request being read to its last byte being handed over; streams are left out.',
    labelNames: ['route'],
    buckets: REQUEST_BUCKETS,
    registers,
  })
  const sales = new Counter({
    name: 'mintfold_sales_total',
    help: 'Sales by outcome: settled, replayed, given, asked (402), failed, uncertain, conflict, unreadable, unavailable.',
    labelNames: ['outcome'],
    registers,
  })
  const saleSeconds = new Histogram({
    name: 'mintfold_settled_sale_duration_seconds',
    help: 'Sales that were settled, the time of the facilitator included.',
    buckets: REQUEST_BUCKETS,
    registers,
  })
  const limited = new Counter({
    name: 'mintfold_limited_total',
    help: 'Requests refused for haste: by caller, payer, in_flight, in_flight_caller or streams.',
    labelNames: ['by'],
    registers,
  })
  const streams = new Gauge({ name: 'mintfold_streams_open', help: 'Streams of flags that are open.', registers })
  // A series that is born with its first event shows no increase by it, and an alert on it would sleep through that one.
  for (const outcome of SALE_WORDS) sales.inc({ outcome }, 0)
  for (const by of LIMITED_BY) limited.inc({ by }, 0)
  return {
    request: ({ route, method, status, ms }) => {
      requests.inc({ route, method, status })
      if (status === FAULT) faults.inc()
      if (!route.startsWith(STREAMS)) seconds.observe({ route }, ms / 1_000)
    },
    sale: (outcome, ms) => {
      sales.inc({ outcome })
      if (outcome === 'settled') saleSeconds.observe(ms / 1_000)
    },
    limited: (by) => limited.inc({ by }),
    streams: (open) => streams.set(open),
  }
}
