// Metrics of the odds: how far the scorer is behind, how old the model in force is, and whether its values are shown.
import { Gauge, type Registry } from 'prom-client'
import { ODDS_HEADS } from '../../../processors/odds/heads.ts'
import { inForceAt } from '../../../processors/odds/standing/model-states.ts'
import type { ChainOdds } from '../../odds/odds-parts.ts'
import type { OddsView } from '../../ports/odds.ts'
import { chainGaugesOf, type OfChain } from './gauges.ts'

interface OddsOf extends OfChain {
  readonly odds: {
    readonly view: Pick<OddsView, 'headState'>
    readonly models: Pick<ChainOdds['models'], 'records'>
    readonly graded: Pick<ChainOdds['graded'], 'foldedS'>
    scorer(): Pick<NonNullable<ReturnType<ChainOdds['scorer']>>, 'recordsBehind'> | null
  }
}

/** Registers them. The scorer's metrics have no value if another process runs it. */
export const oddsMetrics = (registry: Registry, all: readonly OddsOf[]): void => {
  const gauge = chainGaugesOf(registry, all)
  gauge('mintfold_scorer_records_behind', 'Judgements without odds so far.', ({ odds }) => odds.scorer()?.recordsBehind ?? null)
  // A model that was there before the first frame has no age.
  gauge('mintfold_odds_model_age_seconds', 'Stream time since the model in force took over.', ({ odds: { models, graded } }) => {
    const since = inForceAt(models.records(), Number.POSITIVE_INFINITY)?.inForceSince ?? null
    return !since || graded.foldedS === null ? null : Math.max(0, graded.foldedS - since)
  })
  new Gauge({
    name: 'mintfold_odds_shown',
    help: '1 if odds of the head may be shown, 0 if there are none or they are withdrawn.',
    labelNames: ['chain', 'head'],
    registers: [registry],
    collect() {
      for (const { chain, odds } of all) {
        for (const head of ODDS_HEADS) this.set({ chain, head }, Number(odds.view.headState(head).isShown))
      }
    },
  })
}
