// Builds a launch from its transaction: exemptions and the mint of the supply come before the factory's own event.
import { type Amount, amountOf } from '../../../schemas/amount.ts'
import { good, type Parsed } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AltLaunch } from '../../../schemas/types.ts'
import { decimalsOf, ZERO } from './launchpad.ts'
import { sumOf } from './read-log.ts'
import { placeOf, type Scene } from './scene.ts'
import { type OwnLog, quoteOf } from './transaction-logs.ts'

/** The virtual quote as a fraction of the threshold, on all curves seen: 1.68 of 4.2 ETH, the same for ERC-20 pairs. */
const PHANTOM = { share: 2n, of: 5n }
const virtualOf = (threshold: Amount): Amount => amountOf((BigInt(threshold) * PHANTOM.share) / PHANTOM.of)

/** True for the transfer by which a launch in the same transaction mints the supply to its curve. */
export const minting = ({ abi, indexed, contract }: OwnLog, { own }: Pick<Scene, 'own'>): boolean =>
  abi.name === 'Transfer' &&
  indexed[0] === ZERO &&
  indexed[1] === contract?.bondingCurve &&
  own.some((other) => other.abi.name === 'TokenLaunched' && other.indexed[0] === contract?.mint)

const supplyOf = (mint: Key, scene: Scene): Amount | null => {
  const minted = scene.own.filter((one) => one.contract?.mint === mint && minting(one, scene))
  return minted.length === 0 ? null : sumOf(minted.map(({ plain }) => plain[0] as Amount))
}

/** The route of the launch: through the launch router, by a direct call of the factory, or other. */
const routeOf = ({ tx, launchpad }: Scene, router: OwnLog | undefined): string => {
  const { routers, factories } = launchpad
  if (router !== undefined) return routers.get(router.log.address) ?? 'other'
  if (tx.to === null) return 'other'
  return factories.has(tx.to) ? 'direct' : (routers.get(tx.to) ?? 'other')
}

/** TokenLaunched, completed from the other logs of its transaction. */
export const launchOf = (one: OwnLog, scene: Scene): Parsed<AltLaunch> => {
  const { tx, launchpad, own } = scene
  const [mint, bondingCurve, creator] = one.indexed as readonly [Key, Key, Key]
  const [pair, configId, thresholdUnits] = one.plain as readonly [Key, Amount, Amount]
  const router = own.find(({ abi, indexed }) => abi.name === 'Launched' && indexed[0] === mint)
  const exempted = own.filter(({ abi, log }) => abi.name === 'SnipeTaxExempted' && log.address === bondingCurve)
  const { decimals, reason } = decimalsOf(launchpad, pair)
  return good({
    type: 'launch',
    ...placeOf(one, scene),
    ...{ mint, bondingCurve, creator },
    launcher: (router?.plain[0] as Key | undefined) ?? null,
    ...{ txFrom: tx.from, txTo: tx.to, route: routeOf(scene, router) },
    ...{ quoteMint: quoteOf(pair), quoteDecimals: decimals, quoteDecimalsReason: reason },
    ...{ configId, thresholdUnits, virtualQuoteUnits: virtualOf(thresholdUnits) },
    supplyUnits: supplyOf(mint, scene),
    exempt: [...new Set(exempted.map(({ indexed }) => indexed[0] as Key))],
  })
}
