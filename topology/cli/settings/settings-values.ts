// Value types shared by several settings; their errors say which values are valid.
import { InvalidArgumentError } from 'commander'
import * as z from 'zod'
import { HEX_KEYS } from '../../../schemas/keys.ts'

/** Default data directory. */
export const DATA_DIR = '.mintfold'
export const API_PORT = 8402

/** Length of the text of a setting. */
export const TEXT_CHARS_MAX = 256
const PRICE_FACTOR_MAX = 1_000
const PORT_MAX = 65_535

/** Parses a port; 0 picks a free one. */
export const portOf = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX) return Number(text)
  throw new InvalidArgumentError(`a whole number from 0 to ${PORT_MAX}`)
}

export const host = z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/, { error: 'an address or host name' })

export const isHttpUrl = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)

export const integer = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `a whole number from ${min} to ${max}`,
    })
    .transform(Number)
export const port = integer(0, PORT_MAX)
/** `fetch` refuses a URL with user and password, and quotes both in its error. */
export const url = z.string().refine((text) => isHttpUrl(text) && new URL(text).username === '' && new URL(text).password === '', {
  error: 'a URL that starts with http:// or https://, without user and password',
})

export const EVM_ADDRESS = '0x address of 40 hex digits, in one letter case or with the right checksum (EIP-55)'
/** The address with its checksum, which wallets require unless it is in lower case; undefined for anything that is no `EVM_ADDRESS`. */
export const evmAddressOf = (text: string): string | undefined => {
  const key = text.startsWith('0x') ? HEX_KEYS.parse(text) : undefined
  if (key === undefined) return undefined
  const checked = HEX_KEYS.print(key)
  const digits = text.slice(2)
  return [digits.toLowerCase(), digits.toUpperCase(), checked.slice(2)].includes(digits) ? checked : undefined
}
export const evmAddress = z.string().transform((text, ctx): string => {
  const address = evmAddressOf(text)
  if (address !== undefined) return address
  ctx.addIssue({ code: 'custom', message: `a ${EVM_ADDRESS}` })
  return z.NEVER
})
const CONTACT_CHARS_MAX = 254
/** Published: a contact for the operator. */
export const contact = z
  .string()
  .max(CONTACT_CHARS_MAX)
  .pipe(z.union([url, z.email()], { error: 'an e-mail address, or a URL that starts with http:// or https://, without user and password' }))
export const baseUrl = z
  .string()
  .refine((text) => isHttpUrl(text) && !/[?#@]/.test(text), { error: 'a public http(s) URL without user, query or fragment' })
  .transform((text) => text.replace(/\/+$/, ''))
const HOST_NAMES_MAX = 16
const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/
export const hostNames = z
  .string()
  .transform((text) => text.split(','))
  .refine((names) => names.length <= HOST_NAMES_MAX && names.every((name) => HOST_NAME.test(name)), {
    error: `1 to ${HOST_NAMES_MAX} host names without a port, comma-separated, such as clickhouse.internal`,
  })
/** Parses host names of an option. */
export const hostNamesOf = (text: string): readonly string[] => {
  const parsed = hostNames.safeParse(text)
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError(parsed.error.issues.map(({ message }) => message).join('; '))
}
export const redisUrl = z
  .string()
  .refine((text) => /^rediss?:\/\/[^/]/.test(text) && URL.canParse(text), { error: 'a URL that starts with redis:// or rediss://' })
export const priceFactor = z
  .string()
  .refine((text) => /^\d{1,4}(\.\d{1,6})?$/.test(text) && Number(text) > 0 && Number(text) <= PRICE_FACTOR_MAX, {
    error: `a number above 0, at most ${PRICE_FACTOR_MAX}`,
  })
  .transform(Number)
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(', ')}` })
