// Finds the events that the launchpad's programs emitted in a transaction: from the programs' calls to themselves, else from the log.

import { asBuffer } from '../../../../schemas/bytes.ts'
import type { FrameTransaction, InnerInstruction } from '../../../../schemas/types.ts'
import { mayCallLaunchpad, type ProgramName, PUMP, PUMP_AMM, programName } from '../programs.ts'
import type { PlacedCall } from './emitting-calls.ts'
import type { EventProblem, FoundEvent, FoundEvents } from './found.ts'
import { eventsFromLog } from './log-events.ts'

/** First 8 bytes of an event that a program logs by calling itself (Anchor's event_cpi): e4 45 a5 2e 51 cb 9a 1d. */
const TAG_LOW = 0x2ea545e4
const TAG_HIGH = 0x1d9acb51
const TAG_BYTES = 8

/**
 * True for a call that logs an event: its data begin with the tag, and its one account is the event authority. With the tag alone and three
 * accounts, the curve program moves SOL into a wrapped account (multi_hop_curve_swap of 2026-10).
 */
const isEvent = ({ accounts }: InnerInstruction, data: Buffer): boolean =>
  data.length >= TAG_BYTES &&
  data.readUInt32LE(0) === TAG_LOW &&
  data.readUInt32LE(4) === TAG_HIGH &&
  (data.length > TAG_BYTES || accounts.length === 1)

/**
 * Accounts of the instruction that called the `at`-th inner instruction, if both are of the same program. The caller is the nearest earlier
 * inner instruction one level up. Without recorded stack depths, it is the nearest earlier one of the same program that is not an event.
 * If there is none, the top-level instruction is the caller.
 */
const callerOf = (tx: FrameTransaction, inner: readonly InnerInstruction[], at: number): Uint8Array | undefined => {
  const call = inner[at] as InnerInstruction
  for (let i = at - 1; i >= 0 && inner[i]?.outer === call.outer && call.depth !== 2; i--) {
    const before = inner[i] as InnerInstruction
    if (call.depth > 0 ? before.depth !== call.depth - 1 : before.program !== call.program || isEvent(before, asBuffer(before.data)))
      continue
    return before.program === call.program ? before.accounts : undefined
  }
  const top = tx.instructions[call.outer]
  return top?.program === call.program ? top.accounts : undefined
}

/** Names of the launchpad's programs by their places in the transaction's keys. */
const programNames = ({ keys }: FrameTransaction): ((program: number) => ProgramName | undefined) => {
  const pump = keys.indexOf(PUMP)
  const amm = keys.indexOf(PUMP_AMM)
  return (program) => (program < 0 ? undefined : program === pump ? 'pump' : program === amm ? 'pump_amm' : undefined)
}

/** The calls of the launchpad's programs, with their last own call: without recorded depths, the last before the next of the program. */
export function* placedCalls(tx: FrameTransaction): Generator<PlacedCall> {
  const inner = tx.inner ?? []
  const nameOf = programNames(tx)
  for (const [outer, instruction] of tx.instructions.entries()) {
    const program = nameOf(instruction.program)
    if (program !== undefined) yield { outer, inner: 0, last: Number.POSITIVE_INFINITY, program, instruction }
  }
  let first = 0
  for (const [i, call] of inner.entries()) {
    if (call.outer !== inner[first]?.outer) first = i
    const program = nameOf(call.program)
    if (program === undefined || isEvent(call, asBuffer(call.data))) continue
    const isAfter = (next: InnerInstruction): boolean =>
      next.outer !== call.outer ||
      (call.depth > 0 ? next.depth <= call.depth : next.program === call.program && !isEvent(next, asBuffer(next.data)))
    let end = i + 1
    while (end < inner.length && !isAfter(inner[end] as InnerInstruction)) end++
    yield { outer: call.outer, inner: i - first + 1, last: end - first, program, instruction: call }
  }
}

const eventsFromCalls = (tx: FrameTransaction, inner: readonly InnerInstruction[]): FoundEvent[] => {
  const nameOf = programNames(tx)
  const events: FoundEvent[] = []
  let outer = -1
  let first = 0
  for (let i = 0; i < inner.length; i++) {
    const call = inner[i] as InnerInstruction
    if (call.outer !== outer) {
      outer = call.outer
      first = i
    }
    const program = nameOf(call.program)
    if (program === undefined) continue
    const data = asBuffer(call.data)
    if (!isEvent(call, data)) continue
    const accounts = program === 'pump_amm' ? callerOf(tx, inner, i) : undefined
    events.push({ program, outer, inner: i - first + 1, bytes: data.subarray(TAG_BYTES), accounts })
  }
  return events
}

const UNRECORDED: EventProblem = {
  outer: 0,
  inner: 0,
  code: 'event_missing',
  reason: 'another program may have called the launchpad, and neither inner calls nor log of the transaction were recorded',
  isTold: false,
}
const isUnrecorded = ({ keys, inner, logs, instructions }: FrameTransaction): boolean =>
  inner === null &&
  logs === null &&
  keys.some((key) => programName(key) !== undefined) &&
  instructions.some(({ program }) => mayCallLaunchpad(keys[program]))

/**
 * Events of a transaction in order of execution. A failed transaction has none: its logs and calls were rolled back. Reads the calls, or
 * the log where the calls were not recorded; both hold the same bytes.
 */
export const findEvents = (tx: FrameTransaction): FoundEvents => {
  if (tx.failed) return { events: [], problems: [] }
  if (isUnrecorded(tx)) return { events: [], problems: [UNRECORDED] }
  return tx.inner === null ? eventsFromLog(tx) : { events: eventsFromCalls(tx, tx.inner), problems: [] }
}
