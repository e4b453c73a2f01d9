// Validates a webhook's URL without DNS: before a subscription is sold, and before each request.
import { isIP } from 'node:net'
import { isLoopback } from '../../../topology/ports/loopback.ts'
import { alertLimits } from '../limits.ts'
import { isPublicAddress } from './addresses.ts'

/** Names of this machine, of a local network, or reserved for other uses, by their last labels. */
const LOCAL_NAMES = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|test|example|invalid|onion)$/
const HTTPS_PORT = 443
const PORT_MIN = 1_024
const DISCORD_HOST = /^((ptb|canary)\.)?discord(app)?\.com$/
const DISCORD_PATH = /^\/api(\/v\d+)?\/webhooks\/\d{5,25}\/[\w-]{20,120}$/

export interface TargetRules {
  /** True only in the sandbox: allows this machine, also over http, for tests without a public server. */
  readonly allowsLoopback: boolean
}

/** The lower-case host without brackets and trailing dot; `URL` has normalized IPv4 addresses. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** The problem and what to do; null if the URL is valid. Does not quote the URL, which may contain a token. */
export const urlProblem = (text: string, kind: 'discord' | 'generic', { allowsLoopback }: TargetRules): string | null => {
  const { urlCharsMax } = alertLimits
  if (text.length > urlCharsMax) return `URL should have at most ${urlCharsMax} characters`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return 'Input should be a full URL, such as https://example.com/hook, percent-encoded in the query'
  if (url.username !== '' || url.password !== '') return 'URL should have no user name and no password; put a token into the path'
  const host = hostOf(url)
  if (allowsLoopback && isLoopback(host)) {
    return url.protocol === 'https:' || url.protocol === 'http:' ? null : 'URL should begin with http:// or https://'
  }
  if (url.protocol !== 'https:') return 'URL should begin with https://'
  return hostProblem(host) ?? portProblem(url) ?? (kind === 'discord' ? discordProblem(url, host) : null)
}

const hostProblem = (host: string): string | null => {
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'URL should have a public address, not a private, local or reserved one'
  if (!host.includes('.') || LOCAL_NAMES.test(host)) return 'URL should have a public host name, not one of a local network'
  return null
}

const portProblem = ({ port }: URL): string | null =>
  port === '' || Number(port) === HTTPS_PORT || Number(port) >= PORT_MIN
    ? null
    : `URL should have the port ${HTTPS_PORT}, or one from ${PORT_MIN} on`

const discordProblem = ({ pathname }: URL, host: string): string | null =>
  DISCORD_HOST.test(host) && DISCORD_PATH.test(pathname)
    ? null
    : 'URL should be a Discord webhook: https://discord.com/api/webhooks/ID/TOKEN (use target=generic for others)'
