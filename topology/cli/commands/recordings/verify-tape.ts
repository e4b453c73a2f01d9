// `mintfold verify-tape RECORDING...|--history`: is it all there? A line for each thing that is missing or does not fit.

import { joinFrames } from '../../../../processors/chains/frame-parts.ts'
import type { TapeFinding } from '../../../../processors/verify/finding.ts'
import { TapeCheck } from '../../../../processors/verify/tape-check.ts'
import { tapeBatchCodec } from '../../../../schemas/codecs.ts'
import { hasCode } from '../../../../schemas/errors.ts'
import { formatPosition, tickOf } from '../../../../schemas/position.ts'
import type { RawFrame } from '../../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { readRecording } from '../../../sources/recording/recording-file.ts'
import { isTapeFile, readTape } from '../../../sources/recording/tape-file.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { showFileProgress } from '../../output/file-progress.ts'
import { recordedChain } from '../../wiring/open-source.ts'
import { verifyHistoryCommand } from './verify-history.ts'

export const register: Register = (command, io) => {
  command
    .description(
      'Reads recordings or tape files as one tape, oldest first, and prints a JSON line for each thing that is missing or does not fit: frames ' +
        'by their parents, transactions of a block, records nobody understands, trades by the reserves of their curve or pool. Counts are said ' +
        'on stderr. Exit code 1 when there is such a line. Frames whose importer vouched for them count as whole. With --history, holds the history against the ' +
        'tape of the log instead, while both are at work: a line for each table and kind of what is missing, there twice or otherwise, with the ' +
        'first places; and reserves as the history has them.',
    )
    .argument('[files...]', 'recordings or tape files, oldest first')
    .option('--history', 'the history of the data directory (or of CLICKHOUSE_URL) against the log of the data directory')
    .action((files: string[], { history = false }: { history?: boolean }) => {
      if (history === files.length > 0) throw new UsageError('verify-tape takes files or --history, one of both')
      return history ? verifyHistoryCommand(io) : verify(files, io)
    })
}

const verify = async (files: readonly string[], io: Io): Promise<void> => {
  const check = new TapeCheck(LAUNCH_RISK.chain.decoder)
  const found = new Map<string, number>()
  const progress = await showFileProgress(io, { what: 'verifies', unit: 'frames' }, files)
  try {
    for (const file of files)
      for await (const findings of checked(check, file, progress.file(file))) {
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
  say(check, found, io)
  if (found.size > 0 && !io.stop.aborted) io.setExitCode(1)
}

type Finding = TapeFinding | { readonly finding: 'torn'; readonly words: string }

/** What is wrong, frame by frame. A file that ends in the middle is looked at as far as it goes. */
async function* checked(check: TapeCheck, file: string, seen: (bytes: number) => void): AsyncGenerator<readonly Finding[]> {
  try {
    if (await isTapeFile(file, tapeBatchCodec)) for await (const batch of readTape(file, tapeBatchCodec, seen)) yield check.batch(batch)
    else yield* framesOf(check, file, seen)
  } catch (failure) {
    if (!hasCode(failure, 'torn_recording')) throw failure
    yield [{ finding: 'torn', words: failure.message }]
  }
}

async function* framesOf(check: TapeCheck, file: string, seen: (bytes: number) => void): AsyncGenerator<readonly TapeFinding[]> {
  const chain = await recordedChain(file)
  if (chain !== LAUNCH_RISK.chain.name)
    throw new UsageError(
      `${file} is of the chain ${chain}, which verify-tape cannot check yet: mintfold replay says what is not understood`,
    )
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

const unjoined = ([first]: readonly RawFrame[], words: string): TapeFinding => ({
  finding: 'unreadable',
  position: formatPosition(tickOf(first?.chain ?? LAUNCH_RISK.chain.name, first?.number ?? 0)),
  words,
})

const say = ({ counts }: TapeCheck, found: ReadonlyMap<string, number>, io: Io): void => {
  const { frames, events, launches, trades, checked, poolTrades, poolChecked, withoutLaunch } = counts
  io.say(
    `${frames} frames, ${events} events, ${launches} launches; ${checked} of ${trades} trades on curves and ${poolChecked} of ${poolTrades} in pools ` +
      `could be checked; ${withoutLaunch} curves without their launch`,
  )
  const kinds = [...found].map(([kind, count]) => `${count} ${kind}`)
  io.say(kinds.length === 0 ? 'nothing is missing' : `found: ${kinds.join(', ')}`)
}
