// Compares curve cards with the history of the alt chain: the fold's evidence against the same fields computed in SQL.
import { curveChainOf } from '../../../../processors/chains/alt/curve-chain.ts'
import { PONS_V2 } from '../../../../processors/chains/alt/launchpad.ts'
import { curveEvidence } from '../../../../processors/curve/card/card.ts'
import type { CurveMoment } from '../../../../processors/curve/card/moment.ts'
import { mustHexKey } from '../../../../schemas/keys.ts'
import type { CurveState } from '../../../../schemas/types.ts'
import { CURVE_RISK } from '../../../../topology/curve-risk.ts'
import type { HistoryClient } from '../../../../topology/history/client.ts'
import type { Log } from '../../../../topology/ports/log.ts'
import { LogCurveView } from '../../../../topology/views/curve-view.ts'
import { type Compared, forgottenOf, Tally } from '../compare.ts'
import type { Card } from '../fields.ts'
import type { Row } from '../ways.ts'
import { prepareCurveParts } from './parts.ts'
import { CURVE_SHAPES, curveWays, NOT_DERIVED_CURVES, NULL_BLOCKS_CURVES } from './ways.ts'

/** Relative tolerance: ClickHouse rounds differently when it divides 256-bit amounts as floats. */
const RELATIVE_MAX = 1e-11

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
const isSame = (field: unknown, value: unknown): boolean => {
  if (typeof field === 'number' && typeof value === 'number')
    return Math.abs(field - value) <= RELATIVE_MAX * Math.max(1, Math.abs(field), Math.abs(value))
  if (isAddress(field) && isAddress(value)) return field.toLowerCase() === value.toLowerCase()
  return JSON.stringify(field)?.toLowerCase() === JSON.stringify(value)?.toLowerCase()
}

/** Tables whose events give the tokens to compare. */
const EVENTS = ['alt_launches', 'alt_trades', 'alt_migrations']

interface Asked {
  readonly token: string
  readonly state: CurveState
}

/** Compares every curve with an event in the history, at the end of a log. */
export const compareCurvesAtEnd = async (log: Log, client: HistoryClient): Promise<Compared> => {
  const view = new LogCurveView(log, CURVE_RISK, { tip: () => null })
  await view.start()
  const { folded, gap } = view.status()
  const tables = EVENTS.map((table) => `SELECT token FROM ${client.database}.${table}`)
  const tokens = await client.rows<{ token: string }>(`SELECT DISTINCT token FROM (${tables.join(' UNION ALL ')}) ORDER BY token`)
  const curves = tokens.flatMap(({ token }): Asked[] => {
    const state = view.get(mustHexKey(token))?.state
    return state === undefined ? [] : [{ token, state }]
  })
  const tip = folded === null ? null : { number: folded.number, time: folded.time }
  const compared = await compareCurves(client, curves, { asOf: tip?.time ?? 0, tip, gap })
  await view.stop()
  return compared
}

const compareCurves = async (client: HistoryClient, curves: readonly Asked[], moment: CurveMoment): Promise<Compared> => {
  const full = new Map<string, Card>()
  let thin = 0
  for (const { token, state } of curves) {
    const key = mustHexKey(token)
    const card: Card = curveEvidence({ address: key, token: key, state }, moment, CURVE_RISK)
    if (card.coverage === 'full') full.set(token, card)
    else thin += 1
  }
  const contracts = await contractsIn(client)
  await prepareCurveParts(client, contracts)
  const tally = new Tally({ shapes: CURVE_SHAPES, isSame })
  const at = { slot: moment.tip?.number ?? 0, asOf: moment.asOf, gap: moment.gap, isSparse: false }
  for (const way of curveWays([...PONS_V2.terminals])) {
    const rows = await client.rows<Row>(way.sql(client.database), { asOf: at.asOf, tip: at.slot })
    tally.rows(way, rows, full, at)
  }
  const { values, pending, differences, paths } = tally
  const forgotten = forgottenOf(full.values(), paths, NOT_DERIVED_CURVES, NULL_BLOCKS_CURVES)
  return { full: full.size, thin, values, pending, forgotten, differences }
}

/** Addresses in transfers that are no wallets by the chain's rule. The queries receive them, because SQL does not have this rule. */
const contractsIn = async ({ database, rows }: HistoryClient): Promise<readonly string[]> => {
  const { isWallet } = curveChainOf(PONS_V2)
  const known = await rows<{ wallet: string }>(`SELECT DISTINCT arrayJoin([sender, recipient]) AS wallet FROM ${database}.alt_transfers`)
  return known.flatMap(({ wallet }) => (isWallet(mustHexKey(wallet)) ? [] : [wallet]))
}
