// What is wrong with the address of a webhook before anybody is asked for its name: also of each request that is sent there.
import { isIP } from 'node:net'
import { isLoopback } from '../../../topology/ports/loopback.ts'
import { alertLimits } from '../limits.ts'
import { isPublicAddress } from './addresses.ts'

/** Names that mean this machine or this network, by their last labels. */
const LOCAL_NAMES = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|test|example|invalid|onion)$/
const HTTPS_PORT = 443
const PORT_MIN = 1_024
const DISCORD_HOST = /^((ptb|canary)\.)?discord(app)?\.com$/
const DISCORD_PATH = /^\/api(\/v\d+)?\/webhooks\/\d{5,25}\/[\w-]{20,120}$/

export interface TargetRules {
  /** True in the sandbox alone: this machine itself, also over http, so that alerts can be tried without a server. */
  readonly allowsLoopback: boolean
}

/** Host of a URL: no brackets, no dot at its end, lower case. URL has made one form of all ways to write an IPv4 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Null where nothing is; else what, and what to do, without the address. */
export const urlProblem = (text: string, kind: 'discord' | 'generic', { allowsLoopback }: TargetRules): string | null => {
  const { urlCharsMax } = alertLimits
  if (text.length > urlCharsMax) return `URL should have at most ${urlCharsMax} characters`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return 'Input should be a full URL, such as https://example.com/hook, percent-encoded in the query'
  if (url.username !== '' || url.password !== '') return 'URL should have no user name and no password: put a token into its path'
  const host = hostOf(url)
  if (allowsLoopback && isLoopback(host)) {
    return url.protocol === 'https:' || url.protocol === 'http:' ? null : 'URL should begin with http:// or https://'
  }
  if (url.protocol !== 'https:') return 'URL should begin with https://'
  return hostProblem(host) ?? portProblem(url) ?? (kind === 'discord' ? discordProblem(url, host) : null)
}

const hostProblem = (host: string): string | null => {
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'URL should lead to a public address, not to a private, local or reserved one'
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
    : 'URL should be a webhook of Discord: https://discord.com/api/webhooks/ID/TOKEN (target=generic takes others)'
