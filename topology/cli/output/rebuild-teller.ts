// Says how far a rebuild of the stores is: at once in words for who asks, now and then as a line.
import type { Chain } from '../../../schemas/types.ts'
import type { Staff } from '../../runtime/runtime.ts'
import type { RebuildProgress } from '../../versions/rebuild/rebuild.ts'

const EVERY_MS = 5_000
const SHARE_MIN = 0.01

const WORDS: Readonly<Record<RebuildProgress['phase'], string>> = {
  waiting: 'waits for the process that does it',
  decoding: 'decodes the raw frames again',
  folding: 'folds the tape again',
  installing: 'puts the new stores in place',
}

/** `tell` gets every change of the words, null at the end; `say` a line now and then. */
export class RebuildTeller {
  readonly #say: (line: string) => void
  readonly #tell: (words: string | null) => void
  readonly #nowMs: () => number
  #phase: RebuildProgress['phase'] | undefined
  #sinceMs = 0
  #saidMs = Number.NEGATIVE_INFINITY

  constructor(say: (line: string) => void, tell: (words: string | null) => void = () => {}, nowMs: () => number = () => performance.now()) {
    this.#say = say
    this.#tell = tell
    this.#nowMs = nowMs
  }
  at(progress: RebuildProgress | null): void {
    if (progress === null) {
      this.#phase = undefined
      this.#tell(null)
      return
    }
    if (progress.phase !== this.#phase) {
      this.#phase = progress.phase
      this.#sinceMs = this.#nowMs()
    }
    this.relay(rebuildWords(progress, this.#nowMs() - this.#sinceMs))
  }
  /** Words that another process found. */
  relay(words: string): void {
    this.#tell(words)
    if (this.#nowMs() - this.#saidMs < EVERY_MS) return
    this.#saidMs = this.#nowMs()
    this.#say(words)
  }
}

/** A teller for each chain. `tell` gets every change of the words of one. */
export const tellRebuilds = (
  say: (line: string) => void,
  tell: (words: string | null, chain: Chain) => void = () => {},
): NonNullable<Staff['rebuilding']> => {
  const tellers = new Map<Chain, RebuildTeller>()
  return (progress, chain) => {
    const teller = tellers.get(chain) ?? new RebuildTeller(say, (words) => tell(words, chain))
    tellers.set(chain, teller)
    teller.at(progress)
  }
}

/** `the stores are rebuilt: folds the tape again, 34 %, about 20 s left` */
export const rebuildWords = ({ phase, share }: RebuildProgress, elapsedMs: number): string => {
  const words = `the stores are rebuilt: ${WORDS[phase]}, ${Math.floor(share * 100)} %`
  if (share < SHARE_MIN || share >= 1) return words
  return `${words}, about ${Math.ceil((elapsedMs * (1 - share)) / share / 1_000)} s left`
}
