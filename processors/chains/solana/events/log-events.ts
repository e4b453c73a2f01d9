// Extracts events from the log alone: `Program data:` lines name no program, so the invoke and success lines are tracked as a call stack.
import { parseKey } from '../../../../schemas/keys.ts'
import type { FrameTransaction } from '../../../../schemas/types.ts'
import { mayCallLaunchpad, programName } from '../programs.ts'
import { emitsByName } from './emitting-calls.ts'
import type { EventProblem, FoundEvent, FoundEvents } from './found.ts'

interface Call {
  readonly program: string
  readonly outer: number
  readonly inner: number
  /** An event has been placed at this call already. */
  readonly isTaken: boolean
  /** The name of an inner instruction that has to emit and has not yet. */
  silent: string | undefined
}

const INVOKE = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,3})\]$/
const RETURN = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} (?:success$|failed: )/
const DATA = 'Program data: '
const NAME = 'Program log: Instruction: '
const TRUNCATED = 'Log truncated'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Walks a log line by line: every kind of line changes the same few fields. */
class LogWalk {
  readonly events: FoundEvent[] = []
  readonly problems: EventProblem[] = []
  readonly #tx: FrameTransaction
  #stack: Call[] = []
  #outer = -1
  #inner = 0
  /** The event of the last data line; the program's self-call for it may be the next invoke line (programs since 2025). */
  #pending: { event: FoundEvent; program: string; depth: number } | undefined
  /** Inner index of a program's self-call that has just returned: its event may be the next data line (programs of 2024). */
  #returned: number | undefined

  constructor(tx: FrameTransaction) {
    this.#tx = tx
  }

  invoke(program: string, depth: number): void {
    if (depth === 1) this.#enterTop(program)
    else this.#inner++
    const pending = this.#pending
    const isOwnCall = pending?.program === program && pending.depth + 1 === depth
    this.addPending(isOwnCall ? this.#inner : undefined)
    this.#returned = undefined
    this.#stack = [
      ...this.#stack.slice(0, depth - 1),
      { program, outer: this.#outer, inner: this.#inner, isTaken: isOwnCall, silent: undefined },
    ]
  }

  return(): void {
    this.addPending(undefined)
    const call = this.#stack.pop()
    if (call?.silent !== undefined) this.#addSilent(call, call.silent)
    const isOwnCall = call !== undefined && call.program === this.#stack.at(-1)?.program && !call.isTaken
    this.#returned = isOwnCall ? call.inner : undefined
  }

  data(text: string): void {
    const call = this.#stack.at(-1)
    const program = programName(call && parseKey(call.program))
    if (call === undefined || program === undefined) return
    this.addPending(undefined)
    call.silent = undefined
    const { outer, inner } = call
    if (!BASE64.test(text)) {
      this.problems.push({ outer, inner, code: 'bad_encoding', reason: `a data line of ${program} is not base64`, isTold: false })
      return
    }
    const accounts = inner === 0 ? this.#tx.instructions[outer]?.accounts : undefined
    const event = { program, outer, inner, bytes: Buffer.from(text, 'base64'), accounts }
    this.#pending = { event, program: call.program, depth: this.#stack.length }
    if (this.#returned !== undefined) this.addPending(this.#returned)
    this.#returned = undefined
  }

  /** The name of the instruction of the newest call. Those of top-level calls are known from their data. */
  instruction(name: string): void {
    const call = this.#stack.at(-1)
    const program = programName(call && parseKey(call.program))
    if (call !== undefined && program !== undefined && call.inner > 0 && emitsByName(program, name)) call.silent = name
  }

  #addSilent({ outer, inner }: Call, call: string): void {
    const reason = `${call} succeeded without its event, by the log of its transaction`
    this.problems.push({ outer, inner, code: 'event_missing', reason, isTold: false })
  }

  truncated(): void {
    this.addPending(undefined)
    const { outer, inner } = this.#stack.at(-1) ?? { outer: Math.max(this.#outer, 0), inner: this.#inner }
    const { instructions, keys } = this.#tx
    const isTold = !instructions.slice(outer).some(({ program }) => mayCallLaunchpad(keys[program]))
    this.problems.push({ outer, inner, code: 'log_truncated', reason: 'the log is cut and no inner instructions were kept', isTold })
  }

  /**
   * Adds the pending event to the result. `inner`: index of the self-call that logged it, which is its position in the inner instructions;
   * undefined: it stays at the instruction that printed its data line.
   */
  addPending(inner: number | undefined): void {
    if (this.#pending === undefined) return
    const { event } = this.#pending
    this.events.push(inner === undefined ? event : { ...event, inner })
    this.#pending = undefined
  }

  /** Signature checks are top-level instructions without log lines: skip to the next instruction of this program. */
  #enterTop(program: string): void {
    const { instructions, keys } = this.#tx
    const key = parseKey(program)
    const next = instructions.findIndex((instruction, i) => i > this.#outer && keys[instruction.program] === key)
    this.#outer = next >= 0 ? next : this.#outer + 1
    this.#inner = 0
  }
}

/** Events of a transaction whose inner instructions were not kept. A truncated log is a problem: events after the cut are unknown. */
export const eventsFromLog = (tx: FrameTransaction): FoundEvents => {
  const walk = new LogWalk(tx)
  for (const line of tx.logs ?? []) {
    const invoke = INVOKE.exec(line)
    if (invoke) walk.invoke(invoke[1] as string, Number(invoke[2]))
    else if (line.startsWith(DATA)) walk.data(line.slice(DATA.length))
    else if (line.startsWith(NAME)) walk.instruction(line.slice(NAME.length))
    else if (RETURN.test(line)) walk.return()
    else if (line === TRUNCATED) {
      walk.truncated()
      break
    }
  }
  walk.addPending(undefined)
  return { events: walk.events, problems: walk.problems }
}
