// The state of a stopped backtest, kept next to its report so that the same command resumes from there.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { BacktestState } from '../../../backtest/backtest.ts'
import type { LookAhead } from '../../../backtest/report-types.ts'
import { writeWhole } from '../../output/whole-file.ts'
import { versionOf } from '../../version.ts'
import type { Options } from './options.ts'

export interface Unfinished {
  readonly state: BacktestState
  /** Look-ahead results of the frames so far, by candidate. */
  readonly lookAhead: readonly (LookAhead | null)[]
}
interface Kept extends Unfinished {
  readonly key: string
}

/** Hash of everything that the figures depend on: program, options, code of the detectors, and path, size and time of the input files. */
const keyOf = ({ out: _out, ...options }: Options, candidates: readonly string[]): string => {
  const files = (options.in ?? []).map((path) => {
    const { size, mtimeMs } = statSync(path)
    return [path, size, mtimeMs]
  })
  const parts = { version: versionOf(), options: { ...options, set: [...options.set] }, candidates, files }
  const text = JSON.stringify(parts, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  return createHash('sha256').update(text).digest('hex')
}

/** A file next to the report; a backtest without a report keeps no state. */
export class UnfinishedFile {
  readonly #path: string
  readonly #key: string

  /** `candidates`: each with its detector's hash, in order. */
  constructor(out: string, options: Options, candidates: readonly string[]) {
    this.#path = `${out}.part`
    this.#key = keyOf(options, candidates)
  }
  /** Undefined if the file is missing or unreadable, or if it belongs to another command, other detectors or other input files. */
  read(): Unfinished | undefined {
    if (!existsSync(this.#path)) return undefined
    try {
      const kept = deserialize(readFileSync(this.#path)) as Partial<Kept>
      return kept.key === this.#key ? (kept as Kept) : undefined
    } catch {
      return undefined
    }
  }
  /** @throws EngineError `file_unreadable` if the disk refuses; the previous file then stays */
  write(unfinished: Unfinished): void {
    writeWhole(this.#path, serialize({ key: this.#key, ...unfinished } satisfies Kept))
  }
  remove(): void {
    rmSync(this.#path, { force: true })
  }
}

/** Merges the look-ahead results of two parts of a run. */
export const bothOf = (before: LookAhead | null | undefined, after: LookAhead | null): LookAhead | null => {
  if (before === null || before === undefined || after === null) return after ?? before ?? null
  return {
    checked: before.checked + after.checked,
    flips: before.flips + after.flips,
    examples: [...before.examples, ...after.examples],
  }
}
