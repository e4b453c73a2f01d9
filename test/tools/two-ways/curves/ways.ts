// The queries whose rows are compared with curve cards, in order, and the fields that no query derives.
import type { Card } from '../fields.ts'
import type { Way } from '../ways.ts'
import { deployerSql, findingsSql, keptSql, priorSql } from './deployer.ts'
import { flowSql, launchSql, lifecycleSql, raisedSql } from './flow.ts'
import { structureSql } from './structure.ts'

/** Within this many blocks after a launch its deployer's key has answered with the prior. */
const ANSWERED_BLOCKS = 120

export const curveWays = (terminals: readonly string[]): readonly Way[] => [
  { name: 'launch', sql: launchSql, valueWithoutRow: ({ curve }) => curve },
  { name: 'raised', sql: raisedSql, valueWithoutRow: ({ raised }) => raised },
  { name: 'structure', sql: structureSql(terminals), valueWithoutRow: ({ structure }) => structure },
  { name: 'flow and tax', sql: flowSql, valueWithoutRow: ({ flow }) => flow },
  { name: 'lifecycle', sql: lifecycleSql, valueWithoutRow: ({ lifecycle }) => lifecycle },
  { name: 'deployer', sql: deployerSql, valueWithoutRow: ({ deployer_activity: activity }) => activity },
  {
    name: 'prior',
    sql: priorSql,
    beside: ['block0'],
    isPending: ({ block0 }, card, { slot }) => Number(block0) > slot - ANSWERED_BLOCKS && card.deployer_prior_at_launch === null,
    valueWithoutRow: ({ deployer_prior_at_launch: prior }) => prior ?? undefined,
  },
  { name: 'findings', sql: findingsSql, valueWithoutRow: ({ flags }) => flags },
  {
    name: 'kept findings',
    sql: keptSql,
    valueWithoutRow: ({ findings }) => ((findings as readonly unknown[]).length === 0 ? undefined : findings),
  },
]

/** Fields that no query derives, as prefixes of their paths, with the reason. */
export const NOT_DERIVED_CURVES: Readonly<Record<string, string>> = {
  coverage: 'only full cards are compared; which cards are full depends on gaps of the capture, which have their own tests',
}

/** Blocks of a card that may be null as a whole; the rows of their query verify that. */
export const NULL_BLOCKS_CURVES: ReadonlySet<string> = new Set(['deployer_prior_at_launch'])

/** Converts card fields to the form of rows: a list of records becomes a list of lists of values, a map the list of its entries. */
export const CURVE_SHAPES: Readonly<Record<string, (card: Card) => unknown>> = {
  findings: ({ findings }) => (findings as readonly Card[]).map(({ flag, first_seen_at, position }) => [flag, first_seen_at, position]),
  kept: ({ findings }) =>
    (findings as readonly Card[]).map((one) => [
      one.finding_id,
      one.flag,
      one.detector_id,
      one.detector_version,
      JSON.stringify(one.evidence),
    ]),
  'structure.routes': ({ structure }) => Object.entries((structure as Card).routes as Card),
}
