// The limits of subscriptions: in total, per target, and per address of a target.
import type { AlertTarget, Subscription } from './alert.ts'
import { alertLimits } from './limits.ts'
import { targetKey } from './target/target-key.ts'

/** Why a subscription exceeds a limit; null if there is room. @param addresses keys of the target's addresses */
export const roomProblem = (running: readonly Subscription[], target: AlertTarget, addresses: readonly string[]): string | null => {
  const { subscriptionsMax, perChatMax, perHostMax, perAddressMax } = alertLimits
  if (running.length >= subscriptionsMax) return `this service has reached its limit of ${subscriptionsMax} subscriptions; retry later`
  const key = targetKey(target)
  const [what, ofTargetMax] = target.kind === 'generic' ? (['host', perHostMax] as const) : (['target', perChatMax] as const)
  if (running.filter((one) => targetKey(one.target) === key).length >= ofTargetMax)
    return `this ${what} has ${ofTargetMax} subscriptions, which is the limit: wait until one ends`
  const isFull = addresses.some((address) => running.filter((one) => one.addresses?.includes(address)).length >= perAddressMax)
  return isFull ? `an address of this host has ${perAddressMax} subscriptions, which is the limit: wait until one ends` : null
}
