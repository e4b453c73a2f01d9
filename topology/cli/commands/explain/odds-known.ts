// The odds of a coin with their inputs: from the log that the settings name, or from a tape in files.

import { JUDGED_AGES_S } from '../../../../processors/odds/heads.ts'
import { type Model, readModel } from '../../../../processors/odds/model.ts'
import { isJudged, type Judged, oddsOf } from '../../../../processors/odds/odds-of.ts'
import { hasCode } from '../../../../schemas/errors.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { Position } from '../../../../schemas/position.ts'
import type { Conclusion, TapeEvent } from '../../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { ModelSet } from '../../../odds/model-set.ts'
import type { KnownOdds, OddsValue } from '../../../operations/explain/odds-document.ts'
import { conclusionsOnLog, type KeptConclusion } from '../../../operations/explain/odds-logged.ts'
import type { LogReader } from '../../../ports/log.ts'
import type { Io } from '../../command.ts'
import { replayOf } from '../recordings/replay-file.ts'
import { partitionOf } from './subject-chains.ts'
import { tapeOfFiles } from './tapes.ts'

const CHAIN = LAUNCH_RISK.chain
const LAST_AGE_S = JUDGED_AGES_S.at(-1) as number

export interface OddsSources {
  /** Null if there is no log. */
  readonly log: LogReader | null
  /** A tape on which the launch is judged again; if undefined, the judgements of the log are used. */
  readonly files: readonly string[] | undefined
  /** Used to score instead of the log's models. */
  readonly model: Model | undefined
  /** Frames after this position are not folded. */
  readonly until: Position | undefined
}

/** All odds values of a coin, in no particular order. */
export const oddsKnown = async (mint: Key, { log, files, model, until }: OddsSources, io: Io): Promise<readonly KnownOdds[]> => {
  const logged = log === null ? NOTHING : await onLog(log, mint)
  const tape = files === undefined ? undefined : await judgedOnTape(files, mint, until, io)
  const values = valuesOf(logged.odds, tape, model)
  const modelOf = await modelsOf(log, model, values)
  return values.map(({ value, status }): KnownOdds => {
    const kept = logged.judgements.get(value.body.judgement)
    const versions = kept?.versions.filter(isJudged) ?? []
    const judged = tape === undefined ? (versions.at(-1) ?? GONE) : onTape(tape, value, status)
    return { value, status, judged, versions, model: modelOf(value.body.model) }
  })
}

const GONE = { reason: 'the log no longer has its judgement', isWrong: false }

type ById = ReadonlyMap<string, KeptConclusion>
const NOTHING: { readonly odds: ById; readonly judgements: ById } = { odds: new Map(), judgements: new Map() }
const onLog = async (log: LogReader, mint: Key): Promise<typeof NOTHING> => {
  const { odds, judgements } = LAUNCH_RISK.operations.explainOdds.reads
  const partition = partitionOf(CHAIN, log.partitions(odds), mint)
  return {
    odds: await conclusionsOnLog(log, odds, partition, CHAIN.conclusions, mint),
    judgements: await conclusionsOnLog(log, judgements, partition, CHAIN.conclusions, mint),
  }
}

interface TapeJudged {
  /** Keyed by frame and age. */
  readonly judged: ReadonlyMap<string, Judged>
  readonly isLaunched: boolean
  /** Number of the newest frame that was folded. */
  readonly last: number
}
const placeOf = ({ number, hash8 }: Pick<Conclusion, 'number' | 'hash8'>, ageS: number): string => `${number}@${hash8} ${ageS}`

/** Folds all keys, because records of creators and payments are inputs too. */
const judgedOnTape = async (files: readonly string[], mint: Key, until: Position | undefined, io: Io): Promise<TapeJudged> => {
  const folds = replayOf(CHAIN.name).folds()
  const judged = new Map<string, Judged>()
  let isLaunched = false
  let last = 0
  let t0 = Number.POSITIVE_INFINITY
  for await (const batch of tapeOfFiles(files, CHAIN.name, io)) {
    if (io.stop.aborted || (until !== undefined && batch.number > until.number)) break
    isLaunched ||= batch.events.some((event) => event.type === 'launch' && CHAIN.tape.keyOf(event as TapeEvent) === mint)
    for (const one of folds.batch(batch).conclusions) {
      if (!isJudged(one) || one.body.mint !== mint) continue
      judged.set(placeOf(one, one.body.ageS), one)
      t0 = one.body.t0
    }
    last = batch.number
    if (batch.time >= t0 + LAST_AGE_S) break
  }
  return { judged, isLaunched, last }
}

const onTape = ({ judged, isLaunched, last }: TapeJudged, value: OddsValue, status: KnownOdds['status']): KnownOdds['judged'] => {
  const found = judged.get(placeOf(value, value.body.ageS))
  if (found !== undefined) return found
  if (status === 'retracted')
    return { reason: 'a fork or a rebuild retracted the value, and the tape has no judgement of the launch there', isWrong: false }
  if (!isLaunched) return { reason: 'the launch of the mint is not on the tape', isWrong: false }
  return { reason: 'the tape ends too early', isWrong: last >= value.number }
}

interface Valued {
  readonly value: OddsValue
  readonly status: KnownOdds['status']
}
const isOdds = (one: Conclusion | undefined): one is OddsValue => one?.body.type === 'odds'

/** The logged values (only those of `model` if given), and the values that `model` gives on the tape. */
const valuesOf = (logged: ById, tape: TapeJudged | undefined, model: Model | undefined): readonly Valued[] => {
  const values = [...logged.values()].flatMap(({ versions, isRetracted }): Valued[] => {
    const value = versions.at(-1)
    return isOdds(value) ? [{ value, status: isRetracted ? 'retracted' : 'logged' }] : []
  })
  if (model === undefined || tape === undefined) return values
  const computed = [...tape.judged.values()].flatMap((one) => oddsOf(one, [{ model, shadow: false }])).filter(isOdds)
  return [
    ...values.filter(({ value }) => value.body.model === model.id),
    ...computed.filter(({ id }) => !logged.has(id)).map((value): Valued => ({ value, status: 'computed' })),
  ]
}

type ModelOf = (id: string) => Model | string

const modelsOf = async (log: LogReader | null, given: Model | undefined, values: readonly Valued[]): Promise<ModelOf> => {
  const known = new Map<string, Model | string>()
  if (log !== null) {
    const set = new ModelSet(log, LAUNCH_RISK.operations.explainOdds.reads.models, () => {})
    await set.readOn()
    const used = new Set(values.map(({ value }) => value.body.model))
    for (const { id, file } of set.records()) if (used.has(id)) known.set(id, opened(id, file))
  }
  if (given !== undefined) known.set(given.id, given)
  return (id) => known.get(id) ?? `the log does not have the model ${id}: pass its file with --model, and --in`
}

const opened = (id: string, file: Uint8Array): Model | string => {
  if (file.length === 0) return `the model ${id} was retired long ago, and the log no longer has its file`
  try {
    return readModel(file)
  } catch (failure) {
    if (!hasCode(failure, 'model_unfit')) throw failure
    return `the model ${id} does not work with this version: ${failure.message}`
  }
}
