// The outcome of a launch: settled once, by graduation or by silence, and never relabelled.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { outputId } from '../../../schemas/position.ts'
import type { CurveFiguresRow, CurveLaunchRow, CurveOutcomeRow } from '../../../schemas/types.ts'
import type { TapeAt, TapeHeader } from '../../tape.ts'
import { CURVE, type CurveContext, type CurveRowsView } from '../rows.ts'
import { QUIET_S } from '../thresholds.ts'
import { isCensoredByGap } from './gap.ts'

/** Name of the timer that settles a curve by silence. It is moved when it fires, not at every trade. */
export const QUIET_TIMER = 'quiet'

type Launch = Readonly<CurveLaunchRow>
type Figures = Readonly<CurveFiguresRow>
type Labels = Pick<CurveOutcomeRow, 'graduated' | 'rugged' | 'rugKind' | 'rugDtS' | 'censored'>

const rugOf = ({ at }: Launch, { drainAt, deployerDumpAt }: Figures): Pick<Labels, 'rugged' | 'rugKind' | 'rugDtS'> => {
  if (drainAt === 0 && deployerDumpAt === 0) return { rugged: false, rugKind: null, rugDtS: null }
  const isDrainFirst = drainAt !== 0 && (deployerDumpAt === 0 || drainAt <= deployerDumpAt)
  const rugAt = isDrainFirst ? drainAt : deployerDumpAt
  return { rugged: true, rugKind: isDrainFirst ? 'drain' : 'dev_dump', rugDtS: Math.max(0, rugAt - at) }
}

/** Labels as of now. Null where a gap makes them unknown. */
const labelsOf = (launch: Launch, figures: Figures, header: TapeHeader): Labels =>
  isCensoredByGap(figures, header)
    ? { graduated: null, rugged: null, rugKind: null, rugDtS: null, censored: 'gap' }
    : { ...rugOf(launch, figures), graduated: figures.graduatedNumber !== -1, censored: null }

/** Settles the curve, at the time of `at`, unless it is settled. For a graduation, call it after the graduation is recorded. */
export const settle = (ctx: CurveContext, { launch, figures }: CurveRowsView, at: TapeAt, cause: 'migrated' | 'quiet'): void => {
  if (ctx.read('outcome') !== undefined) return
  const second = at.header.time
  const labels = labelsOf(launch, figures, at.header)
  const figuresThen = {
    terminalQuoteUnits: figures.realQuoteUnits,
    peakQuoteUnits: figures.peakQuoteUnits,
    devFirstSellDtS: figures.deployerFirstSellAt === 0 ? null : Math.max(0, figures.deployerFirstSellAt - launch.at),
    devBuyQuoteUnits: figures.deployerBuyQuoteUnits,
    trades: figures.buys + figures.sells,
    buyers: figures.uniqueBuyers,
    selfGraduated: figures.completeNumber === launch.number,
  }
  ctx.edit('outcome', undefined, () => ({ settledAt: second, cause, ...labels, ...figuresThen, reopenedAt: null }))
  figures.lastMoveAt = second
  const { chain, number, tx, outer, inner } = at.position
  const { hash8 } = at.header
  const mint = ctx.key as Key
  const id = outputId(at.position, hash8, CURVE, keyText(mint), 0)
  const settled = { ...labels, ...figuresThen, quoteMint: launch.quoteMint }
  const { deployer: creator, at: t0, number: slot0 } = launch
  const body = { type: 'outcome' as const, mint, creator, t0, slot0, ...settled, mayhem: false }
  ctx.emit({ topic: 'outcomes', conclusion: { id, chain, number, tx, outer, inner, hash8, at: second, body } })
  sendOutcome(ctx, launch, settled, second)
}

type Settled = Labels & Pick<CurveOutcomeRow, 'devFirstSellDtS' | 'devBuyQuoteUnits' | 'peakQuoteUnits' | 'selfGraduated'>

const sendOutcome = (ctx: CurveContext, { deployer, at, quoteMint }: Launch, settled: Settled, second: number): void => {
  const { graduated, rugged, rugDtS, censored, devFirstSellDtS, devBuyQuoteUnits, peakQuoteUnits, selfGraduated } = settled
  const labels = { graduated, rugged, rugDtS, censored, selfGraduated }
  const times = { devFirstSellDtS, launchedAt: at, settledAt: second }
  ctx.send(deployer, { type: 'settled', ...labels, ...times, devBuyQuoteUnits, peakQuoteUnits, quoteMint })
}

/** Unix seconds at which the curve will have been without a trade for long enough to settle, if no trade comes before. */
const quietFrom = ({ at }: Launch, { lastTradeAt }: Figures): number => Math.max(lastTradeAt, at) + QUIET_S

/** Settles by silence, or schedules the time when the silence will be long enough. */
export const settleIfQuiet = (ctx: CurveContext, view: CurveRowsView, at: TapeAt): void => {
  const quietAt = quietFrom(view.launch, view.figures)
  if (at.header.time >= quietAt) settle(ctx, view, at, 'quiet')
  else ctx.schedule(QUIET_TIMER, quietAt)
}

/** Records that a curve settled by silence trades again. Call it before the trade is counted: only a long silence can have settled it. */
export const noteReopened = (ctx: CurveContext, { launch, figures }: CurveRowsView, { header: { time } }: TapeAt): void => {
  if (time < quietFrom(launch, figures)) return
  const outcome = ctx.read('outcome')
  if (outcome?.cause === 'quiet' && outcome.reopenedAt === null) ctx.edit('outcome').reopenedAt = time
}
