// Values of settings as they may be printed: without secrets, and with all else that one may have got wrong.

import type { z } from 'zod'

const HIDDEN = '[redacted]'

/** Secrets as a whole. */
const SECRETS: ReadonlySet<string> = new Set([
  ...['CLICKHOUSE_PASSWORD', 'KAFKA_PASSWORD', 'SCHEMA_REGISTRY_PASSWORD', 'MINTFOLD_CURSOR_KEYS', 'SOLANA_GRPC_TOKEN'],
])
/** Addresses of nodes: any part of the path may be the key. */
const NODES: ReadonlySet<string> = new Set([
  ...['SOLANA_RPC_URL', 'SOLANA_WS_URL', 'SOLANA_GRPC_URL', 'SOLANA_CHECK_RPC_URL', 'X402_RPC_URL', 'X402_EVM_RPC_URL'],
  ...['ALT_RPC_URL', 'ALT_WS_URL', 'ALT_CHECK_RPC_URL'],
])
/** Other addresses: a part of the path is a key only where it is as long as one. */
const ADDRESSES: ReadonlySet<string> = new Set([
  ...['X402_FACILITATOR_URL', 'X402_EVM_FACILITATOR_URL', 'SCHEMA_REGISTRY_URL', 'CLICKHOUSE_URL', 'REDIS_URL', 'MINTFOLD_BASE_URL'],
])
const KEY_CHARS_MIN = 16
const IS_ADDRESS = /^\w+:\/\//
const HAS_PATH = /^\w+:\/\/[^/]+\//

/** Whether a wrong value of it may not be quoted as it is. */
const mayBeSecret = (name: string): boolean => SECRETS.has(name) || NODES.has(name) || ADDRESSES.has(name)

/** One wrong value of those that are set, in words. */
export const complaint = (issue: z.core.$ZodIssue, set: Readonly<Record<string, string | undefined>>): string => {
  const name = String(issue.path[0])
  const value = mayBeSecret(name) ? '' : `=${JSON.stringify(set[name])}`
  return `${name}${value} is wrong: it must be ${issue.message}`
}

export const shownOf = (name: string, value: string): string => {
  if (SECRETS.has(name)) return HIDDEN
  if (!NODES.has(name) && !ADDRESSES.has(name)) return value
  // What is no address may be a secret at the wrong name.
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
