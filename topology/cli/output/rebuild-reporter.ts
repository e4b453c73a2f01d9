// Reports the progress of a store rebuild: passes on every change, and prints a line every 5 s and at the end.
import type { Chain } from '../../../schemas/types.ts'
import type { RunOptions } from '../../runtime/runtime.ts'
import type { RebuildProgress } from '../../versions/rebuild/rebuild.ts'

const EVERY_MS = 5_000
const SHARE_MIN = 0.01

const WORDS: Readonly<Record<RebuildProgress['phase'], string>> = {
  waiting: 'waiting for the process that runs it',
  decoding: 'decoding the raw frames again',
  folding: 'folding the tape again',
  installing: 'installing the new stores',
}

/** `changed` receives every change of the text, and null at the end; `printNotice` a line every 5 s and one when the stores are rebuilt. */
export class RebuildReporter {
  readonly #printNotice: (line: string) => void
  readonly #changed: (words: string | null) => void
  readonly #nowMs: () => number
  #phase: RebuildProgress['phase'] | undefined
  #sinceMs = 0
  #printedMs = Number.NEGATIVE_INFINITY

  constructor(
    printNotice: (line: string) => void,
    changed: (words: string | null) => void = () => {},
    nowMs: () => number = () => performance.now(),
  ) {
    this.#printNotice = printNotice
    this.#changed = changed
    this.#nowMs = nowMs
  }
  at(progress: RebuildProgress | null): void {
    if (progress === null) {
      this.#phase = undefined
      this.#changed(null)
      return
    }
    if (progress.phase !== this.#phase) {
      this.#phase = progress.phase
      this.#sinceMs = this.#nowMs()
    }
    if (isDone(progress)) this.#printedMs = Number.NEGATIVE_INFINITY
    this.relay(rebuildWords(progress, this.#nowMs() - this.#sinceMs))
  }
  /** Passes on the text of another process. */
  relay(words: string): void {
    this.#changed(words)
    if (this.#nowMs() - this.#printedMs < EVERY_MS) return
    this.#printedMs = this.#nowMs()
    this.#printNotice(words)
  }
}

/** One reporter per chain. `changed` receives every change of a chain's text. */
export const reportRebuilds = (
  printNotice: (line: string) => void,
  changed: (words: string | null, chain: Chain) => void = () => {},
): NonNullable<RunOptions['rebuilding']> => {
  const reporters = new Map<Chain, RebuildReporter>()
  return (progress, chain) => {
    const reporter = reporters.get(chain) ?? new RebuildReporter(printNotice, (words) => changed(words, chain))
    reporters.set(chain, reporter)
    reporter.at(progress)
  }
}

const isDone = ({ phase, share }: RebuildProgress): boolean => phase === 'installing' && share === 1

/** `the stores are being rebuilt: folding the tape again, 34 %, about 20 s left` */
export const rebuildWords = (progress: RebuildProgress, elapsedMs: number): string => {
  if (isDone(progress)) return 'the stores are rebuilt'
  const { phase, share } = progress
  const words = `the stores are being rebuilt: ${WORDS[phase]}, ${Math.floor(share * 100)} %`
  if (share < SHARE_MIN || share >= 1) return words
  return `${words}, about ${Math.ceil((elapsedMs * (1 - share)) / share / 1_000)} s left`
}
