// Invariants that hold at every step, whatever happens.
import type { Commit, OutRecord } from '../../topology/ports/log.ts'

/** Meaning of a record of an output topic: a line about a frame, or a retraction of frames. */
export type FoldedOutput =
  | { readonly type: 'line'; readonly line: string; readonly frame: string }
  | { readonly type: 'retraction'; readonly frames: readonly string[] }

/** Reads a record of an output topic; undefined for other topics. */
export type ReadOutput = (record: Pick<OutRecord, 'topic' | 'value'>) => FoldedOutput | undefined

/** Names of counts of records, which are stored with the offsets. */
const COUNTS = 'records:'

export class Invariants {
  /** Violations, as text. */
  readonly broken: string[] = []
  readonly #readOutput: ReadOutput
  /** Valid lines by partition, with their frames. */
  readonly #standing = new Map<string, Map<string, string>>()
  #retractions = 0

  constructor(readOutput: ReadOutput) {
    this.#readOutput = readOutput
  }
  /** Checks a commit that took effect; `before` holds the offsets that its owner had committed before. */
  committed(id: string, isNewest: boolean, before: ReadonlyMap<string, number>, { outputs, inputs }: Commit): void {
    if (!isNewest) this.broken.push(`a fenced owner of ${id} committed`)
    for (const [name, offset] of inputs)
      if (!name.startsWith(COUNTS) && offset < (before.get(name) ?? 0))
        this.broken.push(`${id} moved its offset of ${name} back from ${before.get(name)} to ${offset}`)
    for (const record of outputs) this.#output(record)
  }
  /** Valid lines, sorted. */
  standing(): string[] {
    return [...this.#standing.values()].flatMap((lines) => [...lines.keys()]).sort()
  }
  /** Number of retraction records. */
  get retractions(): number {
    return this.#retractions
  }
  #output(record: OutRecord): void {
    const output = this.#readOutput(record)
    if (output === undefined) return
    const name = `${record.topic.name}/${record.partition}`
    const standing = this.#standing.get(name) ?? new Map<string, string>()
    this.#standing.set(name, standing)
    if (output.type === 'line') {
      if (standing.has(output.line)) this.broken.push(`emitted twice in ${name}: ${output.line}`)
      standing.set(output.line, output.frame)
      return
    }
    this.#retractions++
    const frames = new Set(output.frames)
    for (const [line, frame] of standing) if (frames.has(frame)) standing.delete(line)
  }
}
