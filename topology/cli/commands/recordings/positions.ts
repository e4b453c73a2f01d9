// Parsers for positions and relative times on the command line.
import { type Position, parsePosition, tickOf } from '../../../../schemas/position.ts'
import type { Chain } from '../../../../schemas/types.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../../launch-risk.ts'
import { UsageError } from '../../command.ts'

const CHAINS = TOPOLOGIES.map(({ chain }) => chain)
const EXAMPLE = LAUNCH_RISK.chain.name
const SLOT = /^([a-z]+):(\d{1,15})$/
const AGO = /^-(\d{1,6})([smhd])$/
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** A bound in the log: a position, or seconds before the newest frame. */
export interface Edge {
  /** The text as typed. */
  readonly text: string
  readonly at: { readonly position: Position } | { readonly agoS: number }
}

type OfSlot = (chain: Chain, number: number) => Position

const parse = (text: string, ofSlot: OfSlot): Position | undefined => {
  const [, name, slot] = SLOT.exec(text) ?? []
  const chain = CHAINS.find((one) => one.name === name)
  if (chain !== undefined) return ofSlot(chain.name, Number(slot))
  return CHAINS.map(({ positions }) => parsePosition(text, positions)).find((position) => position !== undefined)
}
const positionOf = (text: string, ofSlot: OfSlot): Position => {
  const position = parse(text, ofSlot)
  if (position !== undefined) return position
  throw new UsageError(`${text} is not a position: write it as ${EXAMPLE}:332254908 for a slot, or ${EXAMPLE}:332254908.17.3.2`)
}
const edgeOf = (text: string, ofSlot: OfSlot): Edge => {
  const [, count, unit = ''] = AGO.exec(text) ?? []
  if (count !== undefined) return { text, at: { agoS: Number(count) * (SECONDS[unit] as number) } }
  const position = parse(text, ofSlot)
  if (position !== undefined) return { text, at: { position } }
  throw new UsageError(`${text} is neither a position nor a time before the newest frame: write ${EXAMPLE}:332254908, or -1h, -30m, -90s`)
}
const beginOf: OfSlot = (chain, number) => ({ chain, number, tx: 0, outer: 0, inner: 0 })
const endOf: OfSlot = tickOf

/** Start of a range; a slot means its first position. @throws UsageError */
export const fromPosition = (text: string): Position => positionOf(text, beginOf)
/** End of a range; a slot means its last position. @throws UsageError */
export const toPosition = (text: string): Position => positionOf(text, endOf)
/** As `fromPosition`, or a time before the newest frame. @throws UsageError */
export const fromEdge = (text: string): Edge => edgeOf(text, beginOf)
/** As `toPosition`, or a time before the newest frame. @throws UsageError */
export const toEdge = (text: string): Edge => edgeOf(text, endOf)
