// The outcome of a launch: settled once, by migration or by silence, and never relabelled.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { outputId } from '../../../schemas/position.ts'
import type { CurveRow, LaunchRow, OutcomeRow } from '../../../schemas/types.ts'
import type { TapeAt, TapeHeader } from '../../tape.ts'
import type { MintContext, MintRowsView } from '../rows.ts'
import { GRADUATION_LAMPORTS, QUIET_S } from '../thresholds.ts'
import { isCensoredByGap } from './gap.ts'
import { reportOutcome } from './prior.ts'

/** Name of the timer that settles a mint by silence. It is moved when it fires, not at every trade. */
export const QUIET_TIMER = 'quiet'

type Labels = Pick<OutcomeRow, 'graduated' | 'rugged' | 'rugKind' | 'rugDtS' | 'censored'>

const rugOf = (launch: Readonly<LaunchRow>, curve: Readonly<CurveRow>): Pick<Labels, 'rugged' | 'rugKind' | 'rugDtS'> => {
  if (curve.drainAt === 0 && curve.devDumpAt === 0) return { rugged: false, rugKind: null, rugDtS: null }
  const isDrainFirst = curve.drainAt !== 0 && (curve.devDumpAt === 0 || curve.drainAt <= curve.devDumpAt)
  const rugAt = isDrainFirst ? curve.drainAt : curve.devDumpAt
  return { rugged: true, rugKind: isDrainFirst ? 'drain' : 'dev_dump', rugDtS: Math.max(0, rugAt - launch.at) }
}

/** Labels as of now. Null where a gap, or a quote without SOL thresholds, makes them unknown. */
const labelsOf = (launch: Readonly<LaunchRow>, curve: Readonly<CurveRow>, header: TapeHeader): Labels => {
  if (isCensoredByGap(curve, header)) return { graduated: null, rugged: null, rugKind: null, rugDtS: null, censored: 'gap' }
  const rug = rugOf(launch, curve)
  if (curve.quoteMint !== null) return { ...rug, graduated: null, rugged: rug.rugged ? true : null, censored: 'quote_not_sol' }
  return { ...rug, graduated: curve.peakQuoteUnits >= GRADUATION_LAMPORTS, censored: null }
}

type Figures = Omit<OutcomeRow, keyof Labels | 'settledAt' | 'cause' | 'reopenedAt'>

/** The curve's figures in the record. */
const figuresOf = (launch: Readonly<LaunchRow>, curve: Readonly<CurveRow>): Figures => ({
  terminalQuoteUnits: curve.realQuoteUnits,
  peakQuoteUnits: curve.peakQuoteUnits,
  devFirstSellDtS: curve.devFirstSellAt === 0 ? null : Math.max(0, curve.devFirstSellAt - launch.at),
  devBuyQuoteUnits: curve.devBuyQuoteUnits,
  trades: curve.trades,
  buyers: curve.uniqueBuyers,
  mayhem: curve.mayhem,
  selfGraduated: curve.selfGraduated,
})

/** Completes a settlement of an older version, which kept only labels, with the curve's figures as that version last folded them. */
export const withFigures = (outcome: Readonly<OutcomeRow>, launch: Readonly<LaunchRow>, curve: Readonly<CurveRow>): OutcomeRow => ({
  ...outcome,
  ...figuresOf(launch, curve),
  terminalQuoteUnits: outcome.terminalQuoteUnits,
})

/** Settles the mint unless it is settled: `second` is the block time of the migration, or the tick. */
export const settle = (
  ctx: MintContext,
  { launch, curve }: MintRowsView,
  at: TapeAt,
  second: number,
  cause: 'migrated' | 'quiet',
): void => {
  if (ctx.read('outcome') !== undefined) return
  const labels = labelsOf(launch, curve, at.header)
  const figures = figuresOf(launch, curve)
  ctx.edit('outcome', undefined, () => ({ settledAt: second, cause, ...labels, ...figures, reopenedAt: null }))
  curve.lastMoveAt = at.header.time
  const { chain, number, tx, outer, inner } = at.position
  const { hash8 } = at.header
  const mint = ctx.key as Key
  const body = {
    type: 'outcome' as const,
    mint,
    creator: launch.creator,
    t0: launch.at,
    slot0: launch.number,
    ...labels,
    ...figures,
    quoteMint: curve.quoteMint,
  }
  const id = outputId(at.position, hash8, 'mint', keyText(mint), 0)
  ctx.emit({ topic: 'outcomes', conclusion: { id, chain, number, tx, outer, inner, hash8, at: second, body } })
  reportOutcome(ctx, launch, body, second)
}

/** Unix seconds at which the mint will have been without a trade for long enough to settle, if no trade comes before. */
export const quietFrom = (launch: Readonly<LaunchRow>, curve: Readonly<CurveRow>): number =>
  Math.max(curve.lastTradeAt, launch.at) + QUIET_S

/** Settles by silence, or schedules the time when the silence will be long enough. */
export const settleIfQuiet = (ctx: MintContext, view: MintRowsView, at: TapeAt): void => {
  const quietAt = quietFrom(view.launch, view.curve)
  if (at.header.time >= quietAt) settle(ctx, view, at, at.header.time, 'quiet')
  else ctx.schedule(QUIET_TIMER, quietAt)
}

/** Records that a mint settled by silence trades again. Needed only from `quietFrom` on: the mint cannot have settled earlier. */
export const noteReopened = (ctx: MintContext, second: number): void => {
  const outcome = ctx.read('outcome')
  if (outcome?.cause === 'quiet' && outcome.reopenedAt === null) ctx.edit('outcome').reopenedAt = second
}
