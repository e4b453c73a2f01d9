// The creator fold: what a wallet launched and the outcomes, as reported by its mints; answers with the record as of the position of a
// launch.
import { add } from '../../schemas/amount.ts'
import { assert } from '../../schemas/errors.ts'
import type { Key } from '../../schemas/keys.ts'
import { comparePositions } from '../../schemas/position.ts'
import type {
  CreatorCountRow,
  CreatorDayRow,
  CreatorFiguresRow,
  CreatorLaunchRow,
  CreatorState,
  Fact,
  FunderAsked,
  LaunchFact,
  OutcomeFact,
  TapeEvent,
} from '../../schemas/types.ts'
import type { AllRows, At, FramePlace, Processor } from '../contract.ts'
import { MINT } from '../mint/rows.ts'
import type { TapeHeader } from '../tape.ts'
import { CHANGES_MAX, dayOf, firstDayOf, forgetAtOf, observedSinceOf, RECENT_MAX, SELLS_MAX } from './horizon.ts'
import { CREATOR, type CreatorContext, type CreatorRows, type CreatorSent, countsBefore, figuresOf } from './rows.ts'

const FORGET_TIMER = 'forget'

/** The rows cover messages up to the newest position. A tape of loose files may go back: the position then stays. */
const moveTo = (figures: CreatorFiguresRow, fact: Fact): void => {
  if (comparePositions(fact, figures) < 0) return
  figures.number = fact.number
  figures.tx = fact.tx
  figures.outer = fact.outer
  figures.inner = fact.inner
}

/**
 * Answers with the record before the launch. Messages come in order of the position where they were sent, so the rows are those as of the
 * launch; if they already include anything later, no answer is sent.
 */
const answer = (ctx: CreatorContext, fact: Fact, launch: LaunchFact, since: number): void => {
  const figures = ctx.read('figures')
  if (figures !== undefined && comparePositions(fact, figures) < 0) return
  const { launches, resolved, graduated, rugged, medianDevSellS } = figuresOf(ctx.rows('days'), ctx.rows('sells'), launch.at)
  const observedSince = observedSinceOf(since, launch.at)
  ctx.send(fact.fromKey, { type: 'prior', launches, resolved, graduated, rugged, medianDevSellS, observedSince })
}

/** Answers with what this wallet had launched before a launch whose creator it funded: later changes are subtracted. */
const answerFunder = (ctx: CreatorContext, { mint, at, ...place }: FunderAsked): void => {
  const counts = countsBefore(figuresOf(ctx.rows('days'), ctx.rows('sells'), at), ctx.rows('changes'), place)
  ctx.send(mint, { type: 'funderPrior', ...counts })
}

type Counts = Pick<CreatorCountRow, 'launches' | 'resolved' | 'rugged'>

const noteChange = (ctx: CreatorContext, figures: CreatorFiguresRow, { number, tx, outer, inner }: Fact, counts: Counts): void => {
  const slot = figures.changes % CHANGES_MAX
  figures.changes += 1
  const change = { slot, number, tx, outer, inner, ...counts }
  Object.assign(
    ctx.edit('changes', slot, () => change),
    change,
  )
}

const newLaunch = ({ fromKey, number, tx, outer, inner }: Fact, { at }: LaunchFact): CreatorLaunchRow => ({
  mint: fromKey,
  number,
  tx,
  outer,
  inner,
  at,
  settledAt: null,
  graduated: null,
  rugged: null,
  rugDtS: null,
  peakQuoteUnits: 0,
  quoteMint: null,
  censored: null,
  selfGraduated: false,
})

const newDay = (day: number): CreatorDayRow => ({ day, launches: 0, resolved: 0, graduated: 0, rugged: 0, devBuyLamports: 0 })

/** Drops the oldest launch once there are more than RECENT_MAX. */
const dropOldestLaunch = (ctx: CreatorContext): void => {
  if (ctx.count('launches') <= RECENT_MAX) return
  let oldest: Readonly<CreatorLaunchRow> | undefined
  for (const row of ctx.rows('launches')) if (oldest === undefined || comparePositions(row, oldest) < 0) oldest = row
  if (oldest !== undefined) ctx.remove('launches', oldest.mint)
}

/** Drops days that no later request counts. One extra day is kept, because clocks of events may go back a little. */
const dropOldDays = (ctx: CreatorContext, at: number): void => {
  const old = Array.from(ctx.rows('days')).filter(({ day }) => day < firstDayOf(at) - 1)
  for (const { day } of old) ctx.remove('days', day)
}

const noteLaunch = (ctx: CreatorContext, figures: CreatorFiguresRow, fact: Fact, launch: LaunchFact): void => {
  figures.lastLaunchAt = Math.max(figures.lastLaunchAt, launch.at)
  noteChange(ctx, figures, fact, { launches: 1, resolved: 0, rugged: 0 })
  ctx.edit('launches', fact.fromKey, () => newLaunch(fact, launch))
  dropOldestLaunch(ctx)
  const day = dayOf(launch.at)
  if (ctx.read('days', day) === undefined) dropOldDays(ctx, launch.at)
  ctx.edit('days', day, () => newDay(day)).launches += 1
}

const noteRecent = (ctx: CreatorContext, mint: Key, outcome: OutcomeFact): void => {
  if (ctx.read('launches', mint) === undefined) return
  const { settledAt, graduated, rugged, rugDtS, peakQuoteUnits, quoteMint, censored, selfGraduated } = outcome
  const settled = { settledAt, graduated, rugged, rugDtS, peakQuoteUnits, quoteMint, censored, selfGraduated }
  Object.assign(ctx.edit('launches', mint), settled)
}

/** Outcomes of launches whose day is gone are not counted: no request reaches back that far. */
const noteOutcome = (ctx: CreatorContext, figures: CreatorFiguresRow, fact: Fact, outcome: OutcomeFact): void => {
  noteRecent(ctx, fact.fromKey, outcome)
  const { launchedAt, graduated, rugged, quoteMint, devBuyQuoteUnits, devFirstSellDtS } = outcome
  const day = dayOf(launchedAt)
  if (ctx.read('days', day) === undefined) return
  const row = ctx.edit('days', day)
  if (quoteMint === null) row.devBuyLamports = add(row.devBuyLamports, devBuyQuoteUnits)
  if (graduated === null || rugged === null) return
  noteChange(ctx, figures, fact, { launches: 0, resolved: 1, rugged: rugged ? 1 : 0 })
  row.resolved += 1
  row.graduated += graduated ? 1 : 0
  row.rugged += rugged ? 1 : 0
  if (devFirstSellDtS === null) return
  const slot = figures.sells % SELLS_MAX
  figures.sells += 1
  Object.assign(
    ctx.edit('sells', slot, () => ({ slot, day, dtS: devFirstSellDtS })),
    { day, dtS: devFirstSellDtS },
  )
}

const newFigures = (): CreatorFiguresRow => ({ number: -1, tx: 0, outer: 0, inner: 0, lastLaunchAt: 0, sells: 0, changes: 0 })

const onFact = (ctx: CreatorContext, fact: Fact, at: At<TapeHeader>): void => {
  const { body } = fact
  if (body.type === 'funderAsked') {
    answerFunder(ctx, body)
    return
  }
  assert(body.type === 'launched' || body.type === 'settled', `a creator receives no ${body.type} messages`)
  const known = ctx.read('figures')
  if (body.type === 'settled') {
    if (known === undefined) return
    const figures = ctx.edit('figures')
    moveTo(figures, fact)
    noteOutcome(ctx, figures, fact, body)
    return
  }
  answer(ctx, fact, body, at.since)
  const figures = ctx.edit('figures', undefined, newFigures)
  moveTo(figures, fact)
  noteLaunch(ctx, figures, fact, body)
  if (known === undefined) ctx.schedule(FORGET_TIMER, forgetAtOf(figures.lastLaunchAt))
}

const isCreatorOlder = (rows: AllRows, first: FramePlace): boolean => {
  const { days, launches } = rows as unknown as CreatorState
  return days.some(({ day }) => day < dayOf(first.time)) || launches.some(({ number }) => number < first.number)
}

/**
 * Key = wallet that launches name as their creator. It reads no event of the tape, only messages: from its launches, and from the wallets
 * that it paid (`funderAsked`). `launches`: the processor of launches, which gets the answers.
 */
export const createCreatorProcessor = <Event>(
  name: string,
  launches: string,
): Processor<CreatorRows, Event, never, TapeHeader, CreatorSent> => ({
  name,
  version: 4,
  sends: { prior: launches, funderPrior: launches },
  isOlder: isCreatorOlder,
  onTime: (ctx, _name, at) => {
    const figures = ctx.read('figures')
    if (figures === undefined) return
    const due = forgetAtOf(figures.lastLaunchAt)
    if (at.header.time < due) ctx.schedule(FORGET_TIMER, due)
    else ctx.forget()
  },
  onFact,
})

/** The creator fold of mints. */
export const creatorProcessor = createCreatorProcessor<TapeEvent>(CREATOR, MINT)
