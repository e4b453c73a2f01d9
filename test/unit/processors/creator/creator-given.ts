// Messages of mints to a creator on the naive engine. They apply in the frame that sends them: their delay is the engine's concern.
import type { FactBody, Processor } from '../../../../processors/contract.ts'
import { creatorProcessor } from '../../../../processors/creator/creator.ts'
import type { CreatorRows, CreatorSent } from '../../../../processors/creator/rows.ts'
import type { TapeHeader } from '../../../../processors/tape.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { CreatorState, Fact, FunderPrior, LaunchFact, OutcomeFact, PriorFact } from '../../../../schemas/types.ts'
import { NaiveEngine } from '../../../naive-context.ts'
import { CREATOR, frame, key, T0 } from '../mint/market.ts'

/** A prior with the mint that receives it. */
export interface Answer extends PriorFact {
  readonly mint: Key
}

/** A funder's record with the mint that receives it. */
export interface FunderAnswer extends FunderPrior {
  readonly mint: Key
}

/** The creator fold with messages as events. */
const onFacts = (
  answers: Answer[],
  funderAnswers: FunderAnswer[],
  since: number,
): Processor<CreatorRows, Fact, never, TapeHeader, CreatorSent> => ({
  name: creatorProcessor.name,
  version: creatorProcessor.version,
  sends: creatorProcessor.sends,
  keyOf: ({ toKey }) => toKey,
  apply: (ctx, fact, at) => {
    const send = (toKey: string, body: PriorFact | FunderPrior): void => {
      if (body.type === 'prior') answers.push({ ...body, mint: toKey as Key })
      else funderAnswers.push({ ...body, mint: toKey as Key })
    }
    creatorProcessor.onFact?.({ ...ctx, send }, fact, { ...at, since })
  },
  onTime: creatorProcessor.onTime,
})

export const launched = (at: number): LaunchFact => ({ type: 'launched', at })
/** A settlement without a rug and without a graduation. */
export const settled = (launchedAt: number, settledAt: number, change: Partial<OutcomeFact> = {}): OutcomeFact => ({
  type: 'settled',
  graduated: false,
  rugged: false,
  devFirstSellDtS: null,
  devBuyQuoteUnits: 0,
  launchedAt,
  settledAt,
  rugDtS: null,
  peakQuoteUnits: 0,
  quoteMint: null,
  censored: null,
  selfGraduated: false,
  ...change,
})

/** Number of a mint, and its message. */
export type GivenMessage = readonly [mint: number, body: FactBody]
/** The n-th mint of a test. */
export const mintOf = (n: number): Key => {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(n)
  return bytes.toString('latin1') as Key
}

/** A creator that receives messages frame by frame. */
export class Creator {
  readonly answers: Answer[] = []
  readonly funderAnswers: FunderAnswer[] = []
  readonly engine: NaiveEngine<CreatorRows, Fact, never, TapeHeader>
  #number = 0

  constructor(since = T0) {
    this.engine = new NaiveEngine(onFacts(this.answers, this.funderAnswers, since))
  }
  /** A frame at `time` (unix seconds) with these messages, in this order. */
  receive(time: number, ...messages: readonly GivenMessage[]): this {
    this.#number += 1
    const { header } = frame(this.#number, [], { time })
    const facts = messages.map(([mint, body], tx): Fact => {
      const position = { number: header.number, tx, outer: 0, inner: 0 }
      return { ...position, from: 'mint', fromKey: mintOf(mint), n: 0, to: 'creator', toKey: CREATOR, body }
    })
    this.engine.frame(header, facts)
    return this
  }
  get state(): CreatorState {
    return {
      launches: this.engine.rows(CREATOR, 'launches'),
      days: this.engine.rows(CREATOR, 'days'),
      sells: this.engine.rows(CREATOR, 'sells'),
      changes: this.engine.rows(CREATOR, 'changes'),
      figures: this.engine.rows(CREATOR, 'figures')[0] ?? null,
      timers: [],
    }
  }
}

/** A quote other than SOL. */
export const OTHER_QUOTE = key(77)
export const DAY_S = 86_400
