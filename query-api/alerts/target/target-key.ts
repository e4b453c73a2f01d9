// What limits count as one target: the text of a URL has any number of spellings.
import { isLoopback } from '../../../topology/ports/loopback.ts'
import { callerKeys, canonicalAddress } from '../../http/caller-address.ts'
import type { AlertTarget } from '../alert.ts'
import { hostOf } from './target-url.ts'

/**
 * The host of a generic target; the webhook of Discord, and the bot and chat of Telegram, whose hosts all customers share. Each port of
 * this machine is a host of its own, because its ports are different programs (only a sandbox has such targets).
 */
export const targetKey = (target: AlertTarget): string => {
  if (target.kind === 'telegram') return `telegram ${target.botToken.split(':', 1)[0]} ${target.chatId.toLowerCase()}`
  const url = new URL(target.url)
  const host = hostOf(url)
  if (isLoopback(host)) return url.host
  return target.kind === 'discord' ? `discord ${/\/webhooks\/(\d+)/.exec(url.pathname)?.[1]}` : host
}

/** An IPv4 address, or the /64 of an IPv6 one, which one customer of a network has. */
export const addressKey = (address: string): string => callerKeys(canonicalAddress(address) ?? address)[0].key
