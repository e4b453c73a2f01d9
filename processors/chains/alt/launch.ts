// Builds a launch from all logs of its transaction: exemptions and the mint of the supply precede the factory's event.
import { type Amount, amountOf } from '../../../schemas/amount.ts'
import { good, type Parsed } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AltLaunch } from '../../../schemas/types.ts'
import { decimalsOf, ZERO } from './launchpad.ts'
import { sumOf } from './read-log.ts'
import { type OwnLog, quoteOf } from './transaction-logs.ts'
import { locationOf, type TransactionScope } from './transaction-scope.ts'

/** On all curves seen, the virtual quote reserve is this fraction of the graduation threshold: 1.68 of 4.2 ETH; the same for ERC-20. */
const VIRTUAL_SHARE = { numerator: 2n, denominator: 5n }
const virtualOf = (threshold: Amount): Amount => amountOf((BigInt(threshold) * VIRTUAL_SHARE.numerator) / VIRTUAL_SHARE.denominator)

/** True for the transfer by which a launch in the same transaction mints the supply to its curve. */
export const isSupplyMint = ({ abi, indexed, contract }: OwnLog, { own }: Pick<TransactionScope, 'own'>): boolean =>
  abi.name === 'Transfer' &&
  indexed[0] === ZERO &&
  indexed[1] === contract?.bondingCurve &&
  own.some((other) => other.abi.name === 'TokenLaunched' && other.indexed[0] === contract?.mint)

const supplyOf = (mint: Key, scope: TransactionScope): Amount | null => {
  const minted = scope.own.filter((one) => one.contract?.mint === mint && isSupplyMint(one, scope))
  return minted.length === 0 ? null : sumOf(minted.map(({ nonIndexed }) => nonIndexed[0] as Amount))
}

/** The route of the launch: through the launch router, by a direct call of the factory, or other. */
const routeOf = ({ tx, launchpad }: TransactionScope, router: OwnLog | undefined): string => {
  const { routers, factories } = launchpad
  if (router !== undefined) return routers.get(router.log.address) ?? 'other'
  if (tx.to === null) return 'other'
  return factories.has(tx.to) ? 'direct' : (routers.get(tx.to) ?? 'other')
}

/** TokenLaunched, completed from the other logs of its transaction. */
export const launchOf = (one: OwnLog, scope: TransactionScope): Parsed<AltLaunch> => {
  const { tx, launchpad, own } = scope
  const [mint, bondingCurve, creator] = one.indexed as readonly [Key, Key, Key]
  const [pair, configId, thresholdUnits] = one.nonIndexed as readonly [Key, Amount, Amount]
  const router = own.find(({ abi, indexed }) => abi.name === 'Launched' && indexed[0] === mint)
  const exempted = own.filter(({ abi, log }) => abi.name === 'SnipeTaxExempted' && log.address === bondingCurve)
  const { decimals, reason } = decimalsOf(launchpad, pair)
  return good({
    type: 'launch',
    ...locationOf(one, scope),
    ...{ mint, bondingCurve, creator },
    launcher: (router?.nonIndexed[0] as Key | undefined) ?? null,
    ...{ txFrom: tx.from, txTo: tx.to, route: routeOf(scope, router) },
    ...{ quoteMint: quoteOf(pair), quoteDecimals: decimals, quoteDecimalsReason: reason },
    ...{ configId, thresholdUnits, virtualQuoteUnits: virtualOf(thresholdUnits) },
    supplyUnits: supplyOf(mint, scope),
    exempt: [...new Set(exempted.map(({ indexed }) => indexed[0] as Key))],
  })
}
