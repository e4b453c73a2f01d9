// Printable values of settings: without secrets, but otherwise complete so that mistakes are visible.

import type { z } from 'zod'

const HIDDEN = '[redacted]'

/** Values redacted as a whole. */
const SECRETS: ReadonlySet<string> = new Set([
  ...['CLICKHOUSE_PASSWORD', 'KAFKA_PASSWORD', 'SCHEMA_REGISTRY_PASSWORD', 'MINTFOLD_CURSOR_KEYS', 'SOLANA_GRPC_TOKEN'],
])
/** Node URLs: any part of the path may be the key. */
const NODES: ReadonlySet<string> = new Set([
  ...['SOLANA_RPC_URL', 'SOLANA_WS_URL', 'SOLANA_GRPC_URL', 'SOLANA_CHECK_RPC_URL', 'X402_RPC_URL', 'X402_EVM_RPC_URL'],
  ...['ALT_RPC_URL', 'ALT_WS_URL', 'ALT_CHECK_RPC_URL'],
])
/** Other URLs: a part of the path is taken for a key only if it is as long as one. */
const ADDRESSES: ReadonlySet<string> = new Set([
  ...['X402_FACILITATOR_URL', 'X402_EVM_FACILITATOR_URL', 'SCHEMA_REGISTRY_URL', 'CLICKHOUSE_URL', 'REDIS_URL', 'MINTFOLD_BASE_URL'],
])
const KEY_CHARS_MIN = 16
const IS_ADDRESS = /^\w+:\/\//
const HAS_PATH = /^\w+:\/\/[^/]+\//

/** Whether an invalid value of it must not be quoted. */
const mayBeSecret = (name: string): boolean => SECRETS.has(name) || NODES.has(name) || ADDRESSES.has(name)

/** The error text for one invalid setting. */
export const complaint = (issue: z.core.$ZodIssue, set: Readonly<Record<string, string | undefined>>): string => {
  const name = String(issue.path[0])
  const value = mayBeSecret(name) ? '' : `=${JSON.stringify(set[name])}`
  return `${name}${value} is wrong: it must be ${issue.message}`
}

export const shownOf = (name: string, value: string): string => {
  if (SECRETS.has(name)) return HIDDEN
  if (!NODES.has(name) && !ADDRESSES.has(name)) return value
  if (value.includes(','))
    return value
      .split(',')
      .map((one) => shownOf(name, one))
      .join(',')
  // A value that is not a URL may be a secret set under the wrong name.
  if (!IS_ADDRESS.test(value) || !URL.canParse(value)) return HIDDEN
  const { protocol, username, password, host, pathname, search, hash } = new URL(value)
  const login = username === '' && password === '' ? '' : `${HIDDEN}@`
  const path = HAS_PATH.test(value) ? pathOf(pathname, NODES.has(name)) : ''
  return `${protocol}//${login}${host}${path}${search === '' ? '' : `?${HIDDEN}`}${hash === '' ? '' : `#${HIDDEN}`}`
}

const pathOf = (pathname: string, isNode: boolean): string => {
  if (isNode) return pathname === '/' ? pathname : `/${HIDDEN}`
  const parts = pathname.split('/').map((part) => (part.length >= KEY_CHARS_MIN ? HIDDEN : part))
  return parts.join('/')
}
