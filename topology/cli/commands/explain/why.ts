// `mintfold why MINT FIELD`: the events that changed a field of a card, newest first.
import { escapeHidden } from '../../../../processors/text.ts'
import { EngineError } from '../../../../schemas/errors.ts'
import { type Key, keyText } from '../../../../schemas/keys.ts'
import type { Position } from '../../../../schemas/position.ts'
import { FieldMoves, type Move } from '../../../operations/explain/field-moves.ts'
import type { Batch } from '../../../operations/explain/recompute.ts'
import { rowsIn } from '../../../operations/explain/witness.ts'
import type { LogReader } from '../../../ports/log.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { isJson, type ListOptions, plain, withListOptions } from '../../output/listing.ts'
import { settingsWithoutApi } from '../../settings/settings.ts'
import { Closing } from '../../start/closing.ts'
import { openReader } from '../../wiring/open-reader.ts'
import { toPosition } from '../recordings/positions.ts'
import { type CardField, cardFieldOf } from './card-fields.ts'
import { checkOddsChain, headsIn, whyOdds } from './odds-why.ts'
import { keyOf, type OnChain, partitionOf } from './subject-chains.ts'
import { tapeOfFiles, tapeOfLog, wholeTapeOfLog } from './tapes.ts'

interface Options extends ListOptions {
  readonly at?: Position
  readonly in?: readonly string[]
  readonly model?: string
}
type ChainSubject = OnChain<Key>

export const register: Register = (command, io) => {
  command
    .description(
      'Lists what changed a field of the card of a coin (or of a token of the alt chain), newest first: position, event and the values before and after, computed by the ' +
        'production folds from the tape of the running mintfold (data directory or Kafka) or from files. For odds: each logged ' +
        'value with its features, and whether they give the same value again; exit code 1 if not, with the differences.',
    )
    .argument('<mint>', 'the coin, or the token of a curve')
    .argument(
      '<field>',
      'a field of the card as /v1/labels names it, such as holders.top5_share, flags.creator_sold or rug_flags[].flag; or odds, odds.rug_within_300s, odds.true_graduation',
    )
  withListOptions(command)
    .option('--at <position>', 'up to this position (default: the newest)', toPosition)
    .option('--in <files...>', 'recordings, tape files or node responses, oldest first (default: the log)')
    .option('--model <file>', 'for odds with --in: the model file to score with, as written by train (default: the models of the log)')
    .action((mint: string, field: string, options: Options) => why(mint, field, options, io))
}

const why = async (mint: string, name: string, options: Options, io: Io): Promise<void> => {
  const asked = keyOf(mint)
  const heads = headsIn(name)
  if (heads === undefined && options.model !== undefined) throw new UsageError('--model can only be used with the field odds')
  if (options.at !== undefined && options.at.chain !== asked.chain.topology.chain.name)
    throw new UsageError(
      `--at is a position of the chain ${options.at.chain}, but ${mint} is of the chain ${asked.chain.topology.chain.name}`,
    )
  if (heads === undefined) return whyField(mint, asked, name, options, io)
  checkOddsChain(asked.chain.topology.chain.name)
  const { at: until, in: files, limit, model } = options
  return whyOdds({ mint: asked.asked, heads, until, limit, isJson: isJson(options), in: files, model }, io)
}

const whyField = async (mint: string, asked: ChainSubject, name: string, options: Options, io: Io): Promise<void> => {
  const inJson = isJson(options)
  const field = cardFieldOf(name, asked.chain.cardName)
  if (field.unexplained !== null) {
    io.printNotice(`no event of the coin changes ${name}: ${field.unexplained}`)
    return
  }
  const settings = settingsWithoutApi(io.env)
  await new Closing(io.printNotice).after(async (closing) => {
    const log = options.in === undefined ? await openReader(settings, closing, io) : null
    const moves = await movesOf(asked, field, options, tapeOf(asked, field, log, options, io), io)
    if (!moves.isMet) throw new EngineError('finding_not_held', `the tape has no event of ${mint}`)
    for (const move of moves.moves) await io.out(`${inJson ? escapeHidden(JSON.stringify(move)) : lineOf(move)}\n`)
    sayEnd(mint, name, field, moves, io)
  })
}

const tapeOf = (
  { chain, asked }: ChainSubject,
  { isOfOtherKeys }: CardField,
  log: LogReader | null,
  options: Options,
  io: Io,
): AsyncIterable<Batch> => {
  const { topology } = chain
  if (log === null) return tapeOfFiles(options.in ?? [], topology.chain.name, io)
  if (isOfOtherKeys) return wholeTapeOfLog(log, topology, io)
  const partitions = log.partitions(topology.operations.explain.reads.tape)
  return tapeOfLog(log, topology, partitionOf(topology.chain, partitions, asked), null, io)
}

/** Folds events of other keys only if they can change the field. */
const movesOf = async (
  { chain, asked: key }: ChainSubject,
  { path, isOfOtherKeys }: CardField,
  { at, limit }: Options,
  tape: AsyncIterable<Batch>,
  io: Io,
): Promise<FieldMoves> => {
  const { topology, processor } = chain
  const type = chain.typeOf()
  const card = (state: Readonly<Record<string, unknown>>, moment: Parameters<typeof chain.card>[2]): object =>
    chain.card(key, state, moment)
  const moves = new FieldMoves({ key, path, type, card, limit, until: at })
  const folds = chain.folds(moves)
  const { keyOf: keyOfEvent } = topology.chain.tape
  let newest: Batch | undefined
  for await (const batch of tape) {
    if (io.stop.aborted || (at !== undefined && batch.number > at.number)) break
    const events = isOfOtherKeys ? batch.events : batch.events.filter((event) => keyOfEvent(event) === key)
    if (events.length === 0 && !isOfOtherKeys && !moves.isMet) continue
    folds.batch({ ...batch, events })
    newest = batch
  }
  const [store] = folds.stores(processor)
  if (newest !== undefined && store !== undefined && at === undefined) moves.end(rowsIn(store, key), newest)
  return moves
}

const valueWords = (value: unknown): string => (value === undefined ? '-' : plain(JSON.stringify(value)))
const lineOf = ({ position, at, cause, event_id, signature, before, after }: Move): string =>
  [
    position,
    new Date(at * 1_000).toISOString().replace('.000', ''),
    cause,
    `${valueWords(before)} -> ${valueWords(after)}`,
    event_id,
    signature,
  ]
    .filter((part) => part !== undefined)
    .join('\t')

const sayEnd = (mint: string, name: string, { isOfOtherKeys }: CardField, moves: FieldMoves, io: Io): void => {
  if (!moves.isLaunched) io.printNotice(`the tape does not have the launch of ${keyTextOf(mint)}: earlier events also changed the card`)
  if (isOfOtherKeys) io.printNotice('events of other keys change this field too; those from before the start of the tape are not counted')
  const shown = moves.moves.length
  const value = moves.value === undefined ? 'the card has no such field at the end' : `at the end it is ${valueWords(moves.value)}`
  if (moves.total === 0) io.printNotice(`nothing changed ${name}: the card of this coin never had it`)
  else io.printNotice(`${shown} of ${moves.total} changes of ${name}; ${value}`)
}
const keyTextOf = (mint: string): string => keyText(keyOf(mint).asked)
