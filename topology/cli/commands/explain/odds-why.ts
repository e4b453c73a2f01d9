// `mintfold why MINT odds` and `mintfold explain ODDS_ID`: the inputs of logged odds, and whether recomputing them gives the same odds.
import { ODDS_HEADS, type OddsHead } from '../../../../processors/odds/heads.ts'
import { escapeHidden } from '../../../../processors/text.ts'
import { EngineError } from '../../../../schemas/errors.ts'
import { type Key, keyText } from '../../../../schemas/keys.ts'
import { comparePositions, type Position } from '../../../../schemas/position.ts'
import type { Chain } from '../../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { explainOdds, type KnownOdds, type OddsDocument } from '../../../operations/explain/odds-document.ts'
import type { Difference, Verdict } from '../../../ports/recompute.ts'
import { type Io, UsageError } from '../../command.ts'
import { type Settings, settingsWithoutApi } from '../../settings/settings.ts'
import { Closing } from '../../start/closing.ts'
import { readModelFile } from '../../wiring/model-file.ts'
import { hasLogIn, openReader } from '../../wiring/open-reader.ts'
import { oddsKnown } from './odds-known.ts'

const FIELD = 'odds'
const ID = new RegExp(`^[^@\\s]{1,60}@[0-9A-Za-z]{1,8}:odds:([1-9A-HJ-NP-Za-km-z]{32,44}):(${ODDS_HEADS.join('|')}):[0-9a-f]{16}$`)

/** The heads that a field names; undefined for fields of cards. @throws UsageError for unknown odds */
export const headsIn = (field: string): readonly OddsHead[] | undefined => {
  if (field === FIELD) return ODDS_HEADS
  if (!field.startsWith(`${FIELD}.`)) return undefined
  const head = ODDS_HEADS.find((one) => field === `${FIELD}.${one}`)
  if (head !== undefined) return [head]
  throw new UsageError(`there are no ${field}: use one of ${[FIELD, ...ODDS_HEADS.map((one) => `${FIELD}.${one}`)].join(', ')}`)
}

/** @throws UsageError for a chain without odds */
export const checkOddsChain = (chain: Chain): void => {
  if (chain !== LAUNCH_RISK.chain.name)
    throw new UsageError(`launches of chain ${chain} have no odds: name a coin of ${LAUNCH_RISK.chain.name}`)
}

/** The coin in an id of odds; undefined for other ids. */
export const mintInOddsId = (id: string): Key | undefined => {
  const [, mint] = ID.exec(id) ?? []
  return mint === undefined ? undefined : LAUNCH_RISK.chain.keys.parse(mint)
}

export const isOddsId = (id: string): boolean => mintInOddsId(id) !== undefined

export interface OddsAsked {
  readonly mint: Key
  readonly heads: readonly OddsHead[]
  /** Limits the output to one value. */
  readonly id?: string
  readonly until?: Position | undefined
  readonly limit: number
  readonly isJson: boolean
  readonly in?: readonly string[] | undefined
  readonly model?: string | undefined
}

/** Prints odds values, newest first. Exit code 1 if a recomputed value differs. @throws EngineError `finding_not_held` if there are none */
export const whyOdds = async (asked: OddsAsked, io: Io): Promise<void> => {
  if (asked.model !== undefined && asked.in === undefined)
    throw new UsageError('--model needs --in FILE; without both, the models of the log are used')
  const settings = settingsWithoutApi(io.env)
  await new Closing(io.printNotice).after(async (closing) => {
    const { in: files, until } = asked
    const model = asked.model === undefined ? undefined : (await readModelFile(asked.model)).model
    checkSources(asked, settings)
    const log = files === undefined || hasLogIn(settings) ? await openReader(settings, closing, io) : null
    const wanted = (await oddsKnown(asked.mint, { log, files, model, until }, io)).filter(isWanted(asked)).sort(newestFirst)
    if (wanted.length === 0) throw notHeld(asked)
    const shown = wanted.slice(0, asked.limit).map(explainOdds)
    for (const one of shown) await io.out(asked.isJson ? `${escapeHidden(JSON.stringify(one))}\n` : textOf(one))
    sayEnd(shown, wanted.length, io)
  })
}

const checkSources = ({ in: files, model }: OddsAsked, settings: Settings): void => {
  if (files !== undefined && model === undefined && !hasLogIn(settings))
    throw new UsageError(`--in needs --model FILE: ${settings.dataDir} (MINTFOLD_DATA_DIR) has no log with models`)
}

const isWanted =
  ({ heads, id, until }: OddsAsked) =>
  ({ value }: KnownOdds): boolean =>
    heads.includes(value.body.head) && (id === undefined || value.id === id) && (until === undefined || comparePositions(value, until) <= 0)

const newestFirst = ({ value: a }: KnownOdds, { value: b }: KnownOdds): number =>
  comparePositions(b, a) || b.body.ageS - a.body.ageS || ODDS_HEADS.indexOf(a.body.head) - ODDS_HEADS.indexOf(b.body.head)

const notHeld = ({ mint, id, in: files }: OddsAsked): EngineError => {
  const where = files === undefined ? 'the log does not have' : 'neither the log nor the files have'
  const what = id === undefined ? `odds of ${keyText(mint)}` : id
  return new EngineError(
    'finding_not_held',
    `${where} ${what}; values older than 7 days are not in the log: query the view odds with mintfold sql`,
  )
}

const binWords = ({ from, below }: { readonly from: number | null; readonly below: number | null }): string =>
  from === null && below === null ? 'any' : `${from === null ? '' : `${from} `}to${below === null ? '' : ` below ${below}`}`

/** One line for the value, then one indented line per feature. */
const textOf = (one: OddsDocument): string => {
  const { position, at, age_s, head, ppm, model_id, shadow, status, odds_id, inputs_hash, score } = one
  const state = shadow ? `${status}, shadow` : status
  const time = new Date(at * 1_000).toISOString().replace('.000', '')
  const features = (score?.features ?? []).map(({ feature, value, points, ...bin }) =>
    [`  ${feature}`, value ?? 'not known', value === null ? 'no bin' : binWords(bin), `${points} points`].join('\t'),
  )
  const lines = [
    [position, time, `age ${age_s} s`, head, `${ppm} ppm`, `model ${model_id}`, state, verdictWords(one), odds_id].join('\t'),
    `  inputs\t${inputs_hash}`,
    ...(score === null ? [] : [`  base\t${score.base} points`, ...features, `  score\t${score.score} points\t${score.ppm} ppm`]),
  ]
  return `${lines.join('\n')}\n`
}

const verdictWords = (verdict: Verdict): string => {
  if (verdict.recomputed === 'same') return 'reproduced'
  if (verdict.recomputed === null) return `not recomputed: ${verdict.recomputed_reason}`
  return `NOT REPRODUCED: ${verdict.differences.map(differenceText).join('; ')}`
}
const differenceText = ({ field, stored, recomputed }: Difference): string =>
  `${field} is ${JSON.stringify(recomputed)}, not ${JSON.stringify(stored)}`

const sayEnd = (shown: readonly OddsDocument[], total: number, io: Io): void => {
  const count = (recomputed: Verdict['recomputed']): number => shown.filter((one) => one.recomputed === recomputed).length
  const wrong = count('differs')
  io.printNotice(
    `${shown.length} of ${total} values, newest first: ${count('same')} hold, ${wrong} do not hold, ${count(null)} could not be compared`,
  )
  for (const one of shown) if (one.recomputed === 'differs') io.printNotice(`${one.odds_id}: ${verdictWords(one)}`)
  if (wrong > 0) io.setExitCode(1)
}
