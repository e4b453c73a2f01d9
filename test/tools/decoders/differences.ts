// Compares what another decoder reads of transactions with what mintfold reads, field by field.
import { findLayout } from '../../../processors/chains/solana/events/layouts.ts'
import { WSOL } from '../../../processors/chains/solana/programs.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { RealTransaction } from '../../fixtures/real-transactions.ts'
import { expectedTape } from './expected-tape.ts'
import { type OurEvent, ourEvents, tapeText } from './our-events.ts'
import type { OtherDecoder, Reading } from './reading.ts'

export interface Difference {
  readonly decoder: string
  readonly transaction: RealTransaction
  readonly program: Reading['program']
  readonly event: string
  readonly outer: number
  readonly inner: number
  /** A field of the IDL, `tape.NAME`, `mints`, or `event`: one of the two does not have the event. */
  readonly field: string
  readonly ours: string | null
  readonly theirs: string | null
  /** The event's bytes; empty where mintfold does not have it. */
  readonly bytes: Buffer
}

export interface Comparison {
  readonly decoder: string
  /** Events of ours that the decoder read too, and their fields that were compared. */
  readonly events: number
  readonly fields: number
  /** Events that the decoder does not know, by name. */
  readonly unknown: Readonly<Record<string, number>>
  readonly differences: readonly Difference[]
}

type Field = readonly [name: string, ours: string | null, theirs: string]

const placeOf = ({ program, outer, inner }: Pick<Reading, 'program' | 'outer' | 'inner'>): string => `${program} ${outer}.${inner}`

/** A field of the layout that the event's bytes end before is not compared; one that no layout has is a difference. */
const isAbsent = ({ program, bytes }: OurEvent, name: string): boolean =>
  findLayout(program, bytes.toString('hex', 0, 8))?.fields.some((field) => field.name === name) === true

const eventFields = (our: OurEvent, { fields }: Reading): Field[] =>
  Object.entries(fields).flatMap(([name, theirs]) => {
    const ours = our.fields[name] ?? null
    return ours === null && isAbsent(our, name) ? [] : [[name, ours, theirs] as const]
  })

const tapeFields = ({ event, fields, tape }: OurEvent, reading: Reading): Field[] => {
  if (tape === undefined) return []
  const present = Object.fromEntries(Object.entries(reading.fields).filter(([name]) => name in fields))
  return expectedTape(event, present, tape).map(([name, theirs]) => [`tape.${name}`, tapeText(tape, name), theirs])
}

const mintFields = ({ tape }: OurEvent, { mints }: Reading): Field[] => {
  if (mints === undefined || tape === undefined || !('quoteMint' in tape)) return []
  const ours = [toBase58(tape.mint), toBase58(tape.quoteMint ?? WSOL)].sort()
  return [['mints', ours.join(), mints]]
}

const fieldsOf = (our: OurEvent, reading: Reading): Field[] =>
  our.event === reading.event
    ? [...eventFields(our, reading), ...tapeFields(our, reading), ...mintFields(our, reading)]
    : [['event', our.event, reading.event]]

/** Ours and theirs by place; either may lack the event. */
type Pair = readonly [ours: OurEvent | undefined, theirs: Reading | undefined]
const pairsOf = (ours: readonly OurEvent[], theirs: readonly Reading[]): Pair[] => {
  const [left, right] = [new Map(ours.map((one) => [placeOf(one), one])), new Map(theirs.map((one) => [placeOf(one), one]))]
  return [...new Set([...left.keys(), ...right.keys()])].map((place) => [left.get(place), right.get(place)])
}

/** `decoder` has read each of the transactions as `readings`. */
export const compareReadings = (
  { name: decoder, events: known }: Pick<OtherDecoder, 'name' | 'events'>,
  transactions: readonly RealTransaction[],
  readings: readonly (readonly Reading[])[],
): Comparison => {
  const differences: Difference[] = []
  const unknown: Record<string, number> = {}
  const made = { events: 0, fields: 0 }
  const differ = (
    transaction: RealTransaction,
    pair: Pair,
    [field, ours, theirs]: readonly [string, string | null, string | null],
  ): void => {
    const { program, event, outer, inner } = (pair[0] ?? pair[1]) as Reading
    differences.push({ decoder, transaction, program, event, outer, inner, field, ours, theirs, bytes: pair[0]?.bytes ?? Buffer.alloc(0) })
  }
  for (const [at, transaction] of transactions.entries())
    for (const pair of pairsOf(ourEvents(transaction), readings[at] ?? [])) {
      const [ours, theirs] = pair
      if (ours !== undefined && theirs !== undefined) {
        const fields = fieldsOf(ours, theirs)
        made.events += 1
        made.fields += fields.length
        for (const field of fields) if (field[1] !== field[2]) differ(transaction, pair, field)
      } else if (ours !== undefined && !known.has(`${ours.program}.${ours.event}`)) {
        const name = `${ours.program}.${ours.event}`
        unknown[name] = (unknown[name] ?? 0) + 1
      } else differ(transaction, pair, ['event', ours?.event ?? null, theirs?.event ?? null])
    }
  return { decoder, ...made, unknown, differences }
}
