// `mintfold verify-tape RECORDING...|--history`: prints a line for each missing or inconsistent item.

import { joinFrames } from '../../../../processors/chains/frame-parts.ts'
import type { TapeFinding } from '../../../../processors/verify/finding.ts'
import { TapeCheck } from '../../../../processors/verify/tape-check.ts'
import { hasCode } from '../../../../schemas/errors.ts'
import { formatPosition, tickOf } from '../../../../schemas/position.ts'
import type { Chain, RawFrame } from '../../../../schemas/types.ts'
import { topologyOf } from '../../../launch-risk.ts'
import { readRecording } from '../../../sources/recording/recording-file.ts'
import { readTape } from '../../../sources/recording/tape-file.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { showFileProgress } from '../../output/file-progress.ts'
import { recordedChain } from '../../wiring/open-source.ts'
import { tapeFileOf } from './replay-file.ts'
import { foundWords, tradeWords } from './verified-words.ts'
import { verifyHistoryCommand } from './verify-history.ts'

export const register: Register = (command, io) => {
  command
    .description(
      'Reads recordings or tape files of one chain as one tape, oldest first, and prints a JSON line for each missing or inconsistent item: frames ' +
        '(by their parents), transactions of a block, records that cannot be decoded, trades (by the reserves of their curve or pool, to the last unit). Counts go ' +
        'to stderr. Exit code 1 when there is such a line. Frames imported with --assume-complete count as complete. --history compares the history of each chain with the ' +
        'tape of the log instead, also while mintfold runs: a line per table and kind of fault (missing, duplicate, different) with the ' +
        'first positions, and faults of the reserves in the history.',
    )
    .argument('[files...]', 'recordings or tape files, oldest first')
    .option('--history', 'compare the history of the data directory (or of CLICKHOUSE_URL) with the log of the data directory')
    .action((files: string[], { history = false }: { history?: boolean }) => {
      if (history === files.length > 0) throw new UsageError('verify-tape takes files or --history: give exactly one of them')
      return history ? verifyHistoryCommand(io) : verify(files, io)
    })
}

const verify = async (files: readonly string[], io: Io): Promise<void> => {
  const found = new Map<string, number>()
  const progress = await showFileProgress(io, { what: 'verifying', unit: 'frames' }, files)
  const tape = new Tape(files[0] as string)
  try {
    for (const file of files)
      for await (const findings of tape.checked(file, progress.file(file))) {
        progress.one()
        if (io.stop.aborted) break
        if (findings.length > 0) progress.hide()
        for (const finding of findings) {
          found.set(finding.finding, (found.get(finding.finding) ?? 0) + 1)
          await io.out(`${JSON.stringify({ file, ...finding })}\n`)
        }
      }
  } finally {
    progress.hide()
  }
  const { counts } = tape
  if (counts !== undefined)
    io.printNotice(`${counts.frames} frames, ${counts.events} events, ${counts.launches} launches; ${tradeWords(counts)}`)
  io.printNotice(foundWords(found))
  if (found.size > 0 && !io.stop.aborted) io.setExitCode(1)
}

type Finding = TapeFinding | { readonly finding: 'torn'; readonly words: string }

/** The files as one tape of the first file's chain. */
class Tape {
  readonly #first: string
  #chain: Chain | undefined
  #check: TapeCheck | undefined

  constructor(first: string) {
    this.#first = first
  }
  /** Undefined if no file could be read. */
  get counts(): TapeCheck['counts'] | undefined {
    return this.#check?.counts
  }
  /** Faults, frame by frame. A truncated file is checked up to its end. @throws UsageError for a file of another chain than the first */
  async *checked(file: string, seen: (bytes: number) => void): AsyncGenerator<readonly Finding[]> {
    try {
      const tape = await tapeFileOf(file)
      const check = this.#checkOf(tape?.chain ?? (await recordedChain(file)), file)
      if (tape === undefined) yield* framesOf(check, file, seen)
      else for await (const batch of readTape(file, tape.codec, seen)) yield check.batch(batch)
    } catch (failure) {
      if (!hasCode(failure, 'torn_recording')) throw failure
      yield [{ finding: 'torn', words: failure.message }]
    }
  }
  #checkOf(chain: Chain, file: string): TapeCheck {
    if (this.#chain !== undefined && this.#chain !== chain)
      throw new UsageError(`${file} is of another chain than ${this.#first}: verify the files of each chain separately.`)
    this.#chain = chain
    this.#check ??= new TapeCheck(topologyOf(chain).chain)
    return this.#check
  }
}

async function* framesOf(check: TapeCheck, file: string, seen: (bytes: number) => void): AsyncGenerator<readonly TapeFinding[]> {
  let parts: RawFrame[] = []
  for await (const frame of readRecording(file, seen)) {
    if (frame.part === 0 && parts.length > 0) yield [unjoined(parts, 'its last parts are missing')]
    if (frame.part === 0) parts = []
    parts.push(frame)
    if (frame.part < frame.parts - 1) continue
    const whole = joinFrames(parts)
    yield whole.ok ? check.frame(whole.value) : [unjoined(parts, whole.reason)]
    parts = []
  }
  if (parts.length > 0) yield [unjoined(parts, 'its last parts are missing')]
}

const unjoined = (parts: readonly RawFrame[], words: string): TapeFinding => {
  const { chain, number } = parts[0] as RawFrame
  return { finding: 'unreadable', position: formatPosition(tickOf(chain, number)), words }
}
