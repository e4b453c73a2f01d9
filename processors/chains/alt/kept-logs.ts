// Selects the logs of a block that a frame keeps: the same for every source.
import type { Key } from '../../../schemas/keys.ts'
import type { AltLog, AltTransaction } from '../../../schemas/types.ts'
import { type EventAbi, FILLS } from './abi.ts'
import type { Launchpad } from './launchpad.ts'
import { addressIn, eventOf } from './read-log.ts'

/** The tokens that the caller knows from earlier blocks. */
export interface KnownTokens {
  /** True for a token that the launchpad launched. */
  hasToken(token: Key): boolean
}

/**
 * The token of a TokenLaunched event of the launchpad's own factory; undefined for any other log. A source that
 * stores the known tokens finds new ones by this function.
 */
export const launchedToken = (log: AltLog, { factories }: Launchpad): Key | undefined =>
  log.blockHash === null && eventOf(log)?.name === 'TokenLaunched' && factories.has(log.address)
    ? addressIn(log.topics[1] ?? '')
    : undefined

/**
 * True for a log that may be the launchpad's: an event of a curve, whichever contract emits it, or of one of the launchpad's factories.
 */
const isCandidate = (log: AltLog, abi: EventAbi | undefined, { factories }: Launchpad): boolean =>
  abi !== undefined && (abi.emitter === 'curve' || (abi.emitter === 'factory' && factories.has(log.address)))

/** True for a log of a router or hook, which is kept only in a transaction with a candidate. */
const isCompanion = (log: AltLog, abi: EventAbi | undefined, { hooks, routers }: Launchpad): boolean => {
  if (abi === undefined) return FILLS.has(log.topics[0] ?? '') && routers.has(log.address)
  return (abi.emitter === 'router' && routers.has(log.address)) || (abi.emitter === 'hook' && hooks.has(log.address))
}

const isTransferOf = (log: AltLog, abi: EventAbi | undefined, hasToken: KnownTokens['hasToken']): boolean =>
  abi?.emitter === 'token' && hasToken(log.address)

/**
 * The transactions of a block that have logs of the launchpad, with those logs only, in order. Kept are:
 * - events of curves, by any contract: the decoder excludes those of clones, because it may know more curves than the source;
 * - events of the launchpad's own factories;
 * - transfers of tokens that are known or launched in this block;
 * - events of routers and hooks, in transactions with an event of a curve or factory.
 * The result does not depend on the order in which transactions and logs are given.
 */
export const keptOf = (transactions: readonly AltTransaction[], { hasToken }: KnownTokens, launchpad: Launchpad): AltTransaction[] => {
  const launched = new Set(transactions.flatMap(({ logs }) => logs.flatMap((log) => launchedToken(log, launchpad) ?? [])))
  const isToken = (token: Key): boolean => launched.has(token) || hasToken(token)
  return transactions
    .flatMap((tx) => {
      const hasCandidate = tx.logs.some((log) => isCandidate(log, eventOf(log), launchpad))
      const logs = tx.logs.filter((log) => {
        const abi = eventOf(log)
        return isTransferOf(log, abi, isToken) || (hasCandidate && (isCandidate(log, abi, launchpad) || isCompanion(log, abi, launchpad)))
      })
      return logs.length === 0 ? [] : [{ ...tx, logs: logs.sort((a, b) => a.index - b.index) }]
    })
    .sort((a, b) => a.index - b.index)
}
