// Metrics of the API: requests, sales, rate-limited requests, streams.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type ApiObserver, LIMITED_BY, SALE_WORDS } from '../../ports/observer.ts'

/** Seconds: most answers take less than a millisecond, a settlement may take a minute. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90]
const STREAMS = '/v1/stream/'
const FAULT = 500

/** Registers the metrics; the returned observer updates them. Labels are known routes, statuses and fixed words: a few hundred series. */
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
    help: 'Time from the request being read to its last byte being passed to the socket, without streams.',
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
    help: 'Duration of settled sales, including the time of the facilitator.',
    buckets: REQUEST_BUCKETS,
    registers,
  })
  const limited = new Counter({
    name: 'mintfold_limited_total',
    help: 'Requests refused by a rate or concurrency limit: caller, payer, in_flight, in_flight_caller or streams.',
    labelNames: ['by'],
    registers,
  })
  const streams = new Gauge({ name: 'mintfold_streams_open', help: 'Open streams of flags.', registers })
  // A series that starts with its first event shows no increase for it, and an alert would miss that event.
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
