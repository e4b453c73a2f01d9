// Settings of the followed launchpad: ALT_FACTORIES, and ALT_ROUTERS (a file).
import { readFileSync, statSync } from 'node:fs'
import * as z from 'zod'
import type { LaunchpadAddresses } from '../../launchpad-in-use.ts'
import { unreadable } from '../../sources/recording/unreadable.ts'
import { UsageError } from '../command.ts'
import { complaint } from './settings-shown.ts'
import { EVM_ADDRESS, evmAddressOf } from './settings-values.ts'

const FACTORIES_MAX = 16
const ROUTERS_MAX = 1_000
const FILE_BYTES_MAX = 1_000_000
const SHOWN_CHARS_MAX = 64
const NAME = /^[\x21-\x7e]{1,64}$/
/** Reserved names, used for trades without a router. */
const TAKEN: ReadonlySet<string> = new Set(['direct', 'other'])

const FACTORIES = `1 to ${FACTORIES_MAX} addresses separated by commas, each a ${EVM_ADDRESS}`
const ROUTERS = 'a JSON file with names by address, such as {"0x65050a9b7e5075a2ba5ced7b1b64ee66262c40dc": "gmgn"}'
type Routers = Readonly<Record<string, string>>
/** A value, or the reason why it is invalid. */
type Read<Value> = { readonly value: Value } | { readonly why: string }

const shown = (text: string): string => JSON.stringify(text.slice(0, SHOWN_CHARS_MAX))
const isAddress = (text: string): boolean => evmAddressOf(text) !== undefined

const readFactories = (text: string): Read<readonly string[]> => {
  const value = text.split(',').map((one) => one.trim())
  const wrong = value.find((one) => !isAddress(one))
  if (wrong !== undefined) return { why: `${shown(wrong)} is not one` }
  return value.length > FACTORIES_MAX ? { why: `there are ${value.length}` } : { value }
}

const readRouters = (path: string): Read<Routers> => {
  const json = readJson(path)
  if ('why' in json) return json
  const { value } = json
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { why: `${path} has no JSON object` }
  const entries = Object.entries(value)
  if (entries.length > ROUTERS_MAX) return { why: `${path} names ${entries.length} routers; at most ${ROUTERS_MAX} are allowed` }
  const wrong = entries.find(([address]) => !isAddress(address))
  if (wrong !== undefined) return { why: `${path} has ${shown(wrong[0])}, which is not an address` }
  const unnamed = entries.find(([, name]) => typeof name !== 'string' || !NAME.test(name) || TAKEN.has(name))
  if (unnamed === undefined) return { value: Object.fromEntries(entries) }
  const names = `1 to 64 printable characters without spaces, other than ${[...TAKEN].join(' and ')}`
  return { why: `${path} has no valid name for ${unnamed[0]}: ${names}` }
}

const readJson = (path: string): Read<unknown> => {
  try {
    const { size } = statSync(path)
    if (size > FILE_BYTES_MAX) return { why: `${path} has ${size} bytes; at most ${FILE_BYTES_MAX} are allowed` }
    return { value: JSON.parse(readFileSync(path, 'utf8')) }
  } catch (error) {
    return { why: error instanceof SyntaxError ? `${path} is not JSON` : unreadable(path, error).message }
  }
}

const textRead = <Value>(read: (text: string) => Read<Value>, expected: string) =>
  z.string().transform((text, ctx): Value => {
    const is = read(text)
    if ('value' in is) return is.value
    ctx.addIssue({ code: 'custom', message: `${expected} (${is.why})` })
    return z.NEVER
  })

export const LAUNCHPAD_VARIABLES = {
  ALT_FACTORIES: textRead(readFactories, FACTORIES).optional(),
  ALT_ROUTERS: textRead(readRouters, ROUTERS).optional(),
} as const
const VALUES = z.object(LAUNCHPAD_VARIABLES)

/** Null if neither is set. */
export const addressesOf = ({ ALT_FACTORIES, ALT_ROUTERS }: z.infer<typeof VALUES>): LaunchpadAddresses | null =>
  ALT_FACTORIES === undefined && ALT_ROUTERS === undefined ? null : { factories: ALT_FACTORIES ?? null, routers: ALT_ROUTERS ?? null }

/** For commands that read no other setting. @throws UsageError that names the setting, the fault and the expected value */
export const launchpadIn = (env: Readonly<Record<string, string | undefined>>): LaunchpadAddresses | null => {
  const set = Object.fromEntries(Object.keys(LAUNCHPAD_VARIABLES).map((name) => [name, env[name] || undefined]))
  const parsed = VALUES.safeParse(set)
  if (!parsed.success) throw new UsageError(parsed.error.issues.map((issue) => complaint(issue, set)).join('; '))
  return addressesOf(parsed.data)
}
