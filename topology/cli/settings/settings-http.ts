// Settings of the API: published contact, rate limits, trusted proxies, and the metrics port.
import * as z from 'zod'
import { proxyProblem } from '../../../query-api/http/caller-address.ts'
import type { MetricsPort } from '../../operations/metrics/server.ts'
import { contact, host, hostNames, integer, port } from './settings-values.ts'

export interface HttpSettings {
  /** E-mail address or URL of the operator; null: not published. */
  readonly contact: string | null
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** Requests per minute and caller address. */
  readonly ratePerMinute: number
  /** Payments per minute and payer. */
  readonly ratePaidPerMinute: number
  /** How long `serve` answers after a stop, with /ready 503, before its port closes. */
  readonly drainMs: number
  readonly metrics: MetricsPort
}

const METRICS_PORT = 9_464
const PROXIES_MAX = 256
const RATE_MAX = 100_000_000
const DRAIN_S_MAX = 300

const proxies = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .superRefine((entries, ctx) => {
    const problem = entries.length > PROXIES_MAX ? `more than ${PROXIES_MAX} entries` : entries.map(proxyProblem).find((found) => found)
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: `a comma-separated list of addresses and CIDR (${problem})` })
  })

/** The variables, in the order in which users meet them. */
export const HTTP_VARIABLES = {
  MINTFOLD_CONTACT: contact.optional(),
  MINTFOLD_RATE_PER_MINUTE: integer(1, RATE_MAX).default(600),
  MINTFOLD_RATE_PAID_PER_MINUTE: integer(1, RATE_MAX).default(120),
  MINTFOLD_TRUSTED_PROXIES: proxies.optional(),
  MINTFOLD_DRAIN_S: integer(0, DRAIN_S_MAX).default(5),
  MINTFOLD_METRICS_HOST: host.default('127.0.0.1'),
  MINTFOLD_METRICS_PORT: port.optional(),
  MINTFOLD_METRICS_HOSTS: hostNames.optional(),
} as const

const VALUES = z.object(HTTP_VARIABLES)

export const httpOf = (values: z.infer<typeof VALUES>): HttpSettings => ({
  contact: values.MINTFOLD_CONTACT ?? null,
  trustedProxies: values.MINTFOLD_TRUSTED_PROXIES ?? [],
  ratePerMinute: values.MINTFOLD_RATE_PER_MINUTE,
  ratePaidPerMinute: values.MINTFOLD_RATE_PAID_PER_MINUTE,
  drainMs: values.MINTFOLD_DRAIN_S * 1_000,
  metrics: {
    host: values.MINTFOLD_METRICS_HOST,
    port: values.MINTFOLD_METRICS_PORT ?? METRICS_PORT,
    isSet: values.MINTFOLD_METRICS_PORT !== undefined,
    names: values.MINTFOLD_METRICS_HOSTS ?? [],
  },
})
