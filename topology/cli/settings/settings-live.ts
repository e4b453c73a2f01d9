// Settings of the live chains: their nodes, and the second nodes that these are cross-checked with.

import * as z from 'zod'
import type { AltSettings, LiveSettings } from '../../sources/live-settings.ts'
import { UsageError } from '../command.ts'
import { addressesOf, LAUNCHPAD_VARIABLES } from './settings-launchpad.ts'
import { url } from './settings-values.ts'

const TOKEN_CHARS_MAX = 1_024

const wsUrl = z
  .string()
  .refine((text) => /^wss?:\/\//.test(text) && URL.canParse(text), { error: 'a URL that starts with ws:// or wss://' })

const fork = z
  .string()
  .regex(/^\d{1,12}:[1-9A-HJ-NP-Za-km-z]{32,44}$/, { error: 'SLOT:HASH as printed in finality_broken' })
  .transform((text) => text.slice(text.indexOf(':') + 1))

/** The variables, in the order in which users meet them; SOLANA_RPC_URL is elsewhere, as cards need it too. */
export const LIVE_VARIABLES = {
  SOLANA_WS_URL: wsUrl.optional(),
  SOLANA_GRPC_URL: url.optional(),
  SOLANA_GRPC_TOKEN: z
    .string()
    .max(TOKEN_CHARS_MAX, { error: `at most ${TOKEN_CHARS_MAX} characters` })
    .optional(),
  SOLANA_CHECK_RPC_URL: url.optional(),
  SOLANA_ACCEPT_FORK: fork.optional(),
  ALT_RPC_URL: url.optional(),
  ALT_WS_URL: wsUrl.optional(),
  ALT_CHECK_RPC_URL: url.optional(),
  ...LAUNCHPAD_VARIABLES,
} as const

const VALUES = z.object(LIVE_VARIABLES)

/** @throws UsageError for a token without the URL that it belongs to. */
export const liveOf = (values: z.infer<typeof VALUES> & { readonly SOLANA_RPC_URL?: string | undefined }): LiveSettings => {
  if (values.SOLANA_GRPC_TOKEN !== undefined && values.SOLANA_GRPC_URL === undefined)
    throw new UsageError('SOLANA_GRPC_TOKEN is set without SOLANA_GRPC_URL: set SOLANA_GRPC_URL, or unset the token')
  return {
    rpcUrl: values.SOLANA_RPC_URL ?? null,
    wsUrl: values.SOLANA_WS_URL ?? null,
    grpcUrl: values.SOLANA_GRPC_URL ?? null,
    grpcToken: values.SOLANA_GRPC_TOKEN ?? null,
    checkUrl: values.SOLANA_CHECK_RPC_URL ?? null,
    acceptedFork: values.SOLANA_ACCEPT_FORK ?? null,
  }
}

/** @throws UsageError for ALT_WS_URL or ALT_CHECK_RPC_URL without ALT_RPC_URL */
export const altOf = (values: z.infer<typeof VALUES>): AltSettings => {
  const { ALT_RPC_URL, ALT_WS_URL, ALT_CHECK_RPC_URL } = values
  if (ALT_WS_URL !== undefined && ALT_RPC_URL === undefined)
    throw new UsageError('ALT_WS_URL is set without ALT_RPC_URL: it only announces blocks, which are fetched by JSON-RPC; set ALT_RPC_URL')
  if (ALT_CHECK_RPC_URL !== undefined && ALT_RPC_URL === undefined)
    throw new UsageError('ALT_CHECK_RPC_URL is set without ALT_RPC_URL: it is only compared with that node; set ALT_RPC_URL')
  const nodes = { rpcUrl: ALT_RPC_URL ?? null, wsUrl: ALT_WS_URL ?? null, checkUrl: ALT_CHECK_RPC_URL ?? null }
  return { ...nodes, addresses: addressesOf(values) }
}
