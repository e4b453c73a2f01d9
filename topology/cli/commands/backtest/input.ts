// The input tape of a backtest: files, or the log named by the settings.
import type { Chain } from '../../../../schemas/types.ts'
import { topologyOf } from '../../../launch-risk.ts'
import { type Io, UsageError } from '../../command.ts'
import { settingsWithoutApi } from '../../settings/settings.ts'
import type { Closing } from '../../start/closing.ts'
import { openReader } from '../../wiring/open-reader.ts'
import { tapeOfFiles, wholeTapeOfLog } from '../explain/tapes.ts'
import { type Batch, openReplayFile } from '../recordings/replay-file.ts'
import type { Options } from './options.ts'

export interface Input {
  readonly chain: Chain
  /** The input's names in the report. */
  readonly words: readonly string[]
  readonly batches: AsyncIterable<Batch>
}

/** @throws UsageError if a file is not a tape, EngineError if the log cannot be read */
export const openInput = async (options: Options, closing: Closing, io: Io): Promise<Input> => {
  if (options.in === undefined) {
    const settings = settingsWithoutApi(io.env)
    const log = await openReader(settings, closing, io)
    const place = settings.kafka === null ? `the log in ${settings.dataDir}` : 'the topics of the cluster'
    return { chain: options.chain, words: [place], batches: inOrder(wholeTapeOfLog(log, topologyOf(options.chain), io)) }
  }
  const [first = ''] = options.in
  const { chain } = await openReplayFile(first, { seen: () => {}, printNotice: io.printNotice, assumeComplete: false })
  return { chain, words: options.in, batches: inOrder(tapeOfFiles(options.in, chain, io)) }
}

/** @throws UsageError if files overlap or are not in the order of the chain */
export async function* inOrder(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  let last: Batch | undefined
  for await (const batch of batches) {
    if (last !== undefined && batch.number <= last.number) throw new UsageError(overlapOf(last, batch))
    last = batch
    yield batch
  }
}
const overlapOf = (last: Batch, next: Batch): string => {
  const isOther = next.number === last.number && next.hash8 !== last.hash8
  const what = isOther
    ? `slot ${next.number} occurs twice, as ${last.hash8} and as ${next.hash8}: the tapes contradict each other`
    : `slot ${next.number} comes after slot ${last.number}: the tapes overlap, or are not given oldest first`
  return `${what}. Give each range of the chain once, oldest first.`
}
