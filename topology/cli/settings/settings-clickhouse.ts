// Settings of the ClickHouse server that stores the history.
import * as z from 'zod'
import type { HistorySettings } from '../../history/engine/where.ts'
import { UsageError } from '../command.ts'
import { isHttpUrl, TEXT_CHARS_MAX } from './settings-values.ts'

const plainName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, { error: 'a plain name of letters, digits and _' })

/** The variables, in the order in which users meet them. */
export const CLICKHOUSE_VARIABLES = {
  MINTFOLD_HISTORY_ACCESS: z.string().optional(),
  CLICKHOUSE_URL: z
    .string()
    .refine((text) => text.split(',').every((one) => isHttpUrl(one) && /^https?:\/\/[^/?#]+\/?$/.test(one)), {
      error: 'http(s)://host:port without a path (CLICKHOUSE_DATABASE names the database); servers of a cluster are comma-separated',
    })
    .optional(),
  CLICKHOUSE_CLUSTER: plainName.optional(),
  CLICKHOUSE_USERNAME: z.string().max(TEXT_CHARS_MAX).optional(),
  CLICKHOUSE_PASSWORD: z.string().max(TEXT_CHARS_MAX).default(''),
  CLICKHOUSE_DATABASE: plainName.default('mintfold'),
} as const

const VALUES = z.object(CLICKHOUSE_VARIABLES)
type Values = z.infer<typeof VALUES>

/** @throws UsageError for settings that contradict each other */
export const placeOfHistory = (values: Values): Pick<HistorySettings, 'url' | 'access' | 'cluster'> => {
  const { CLICKHOUSE_URL: url = null, MINTFOLD_HISTORY_ACCESS: access = null, CLICKHOUSE_CLUSTER: cluster = null } = values
  if (cluster !== null && url === null)
    throw new UsageError('CLICKHOUSE_CLUSTER is set, but CLICKHOUSE_URL is not: set it to the servers of the cluster, comma-separated')
  if (cluster === null && url?.includes(',') === true)
    throw new UsageError('CLICKHOUSE_URL has several servers, but CLICKHOUSE_CLUSTER is not set: name their cluster, or keep one server')
  if (url === null || access === null) return { url, access, cluster }
  throw new UsageError(
    'CLICKHOUSE_URL and MINTFOLD_HISTORY_ACCESS are both set, but only one history can be used: unset one of them (the access file contains the address)',
  )
}
