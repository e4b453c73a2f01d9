// Opens a file for replay and detects its chain: a tape, a recording, or responses of a node.
import { splitFrame } from '../../../../processors/chains/frame-parts.ts'
import { altTapeBatchCodec, type Codec, tapeBatchCodec } from '../../../../schemas/codecs.ts'
import { assert, EngineError } from '../../../../schemas/errors.ts'
import type { BatchOf, ChainEvent } from '../../../../schemas/record-forms.ts'
import type { Chain, RawFrame } from '../../../../schemas/types.ts'
import { CURVE_RISK } from '../../../curve-risk.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { CurveReplay } from '../../../runtime/curve-replay.ts'
import { Replay, type ReplayedFrame } from '../../../runtime/replay.ts'
import { problemsOf } from '../../../sources/recording/chain-files.ts'
import { isContainer } from '../../../sources/recording/container-reader.ts'
import { readRecording } from '../../../sources/recording/recording-file.ts'
import { isTapeFile, readTape } from '../../../sources/recording/tape-file.ts'
import { UsageError } from '../../command.ts'
import { recordedChain } from '../../wiring/open-source.ts'
import { FORMATS_HINT, readFileOfChain } from './decode.ts'

export type Batch = BatchOf<ChainEvent>

/** The folds of a replay, for any chain. */
export interface Folds {
  readonly deadLetters: number
  frame(body: RawFrame): ReplayedFrame<ChainEvent> | undefined
  /** Decodes without folding. */
  decode(body: RawFrame): Batch | undefined
  batch(tape: Batch): ReplayedFrame<ChainEvent>
  /** Cards at the newest tick, ordered by key. */
  cards(): readonly { readonly evidence: object }[]
}

interface ChainReplay {
  readonly chain: Chain
  /** Codec of its tape files. */
  readonly codec: Codec<Batch>
  folds(): Folds
}

const REPLAYS: readonly ChainReplay[] = [
  { chain: LAUNCH_RISK.chain.name, codec: tapeBatchCodec as Codec<Batch>, folds: () => new Replay(LAUNCH_RISK) },
  { chain: CURVE_RISK.chain.name, codec: altTapeBatchCodec as Codec<Batch>, folds: () => new CurveReplay(CURVE_RISK) },
]
/** The chain and codec of a tape file; undefined for other files. @throws EngineError as `isTapeFile` */
export const tapeFileOf = async (path: string): Promise<Pick<ChainReplay, 'chain' | 'codec'> | undefined> => {
  for (const replay of REPLAYS) if (await isTapeFile(path, replay.codec)) return replay
  return undefined
}
/** The folds and the tape codec of a chain. */
export const replayOf = (chain: Chain): ChainReplay => {
  const replay = REPLAYS.find((one) => one.chain === chain)
  assert(replay !== undefined, `every chain has a replay, ${chain} too`)
  return replay
}

type Frames = AsyncIterable<RawFrame> | Iterable<RawFrame>
export type ReplayFile = {
  readonly chain: Chain
  /** Number of records of the file that cannot be used. */
  readonly unread: number
} & ({ readonly batches: AsyncIterable<Batch> } | { readonly frames: Frames })

interface ReplayFileOptions {
  /** Receives the number of bytes read so far. */
  readonly seen: (bytes: number) => void
  readonly printNotice: (line: string) => void
  /** For responses of a node: true if they have everything about their launches. */
  readonly assumeComplete: boolean
}

/** @throws UsageError for responses that cannot be folded, EngineError as the readers of recordings and tapes */
export const openReplayFile = async (path: string, { seen, printNotice, assumeComplete }: ReplayFileOptions): Promise<ReplayFile> => {
  const tape = await tapeFileOf(path)
  if (tape !== undefined) return { chain: tape.chain, batches: readTape(path, tape.codec, seen), unread: 0 }
  const answers = (await isContainer(path)) ? undefined : await readFileOfChain(path)
  if (answers?.ok === false)
    throw new EngineError('not_chain_data', `${path} is not a recording or tape file; ${answers.reason}.${FORMATS_HINT}`)
  if (answers === undefined) return { chain: await recordedChain(path), frames: readRecording(path, seen), unread: 0 }
  const { chain, file, frames } = answers.value
  if (file.events.length > 0) throw new UsageError(`${path} has events without their transactions: decode can read it, replay cannot.`)
  const unread = problemsOf([answers.value])
  for (const line of [...file.notes, ...unread]) printNotice(line)
  const made = frames(file.blocks, assumeComplete)
  if (!made.ok) throw new UsageError(made.reason)
  return { chain, frames: made.value.frames.flatMap(splitFrame), unread: unread.length }
}
