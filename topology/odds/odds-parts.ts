// The odds of a chain in one process: scorer, trials and view.
import { ownName } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { OddsFeed, OddsView } from '../ports/odds.ts'
import type { OddsModels } from '../ports/odds-models.ts'
import { chainPartitionOf } from '../runtime/task-parts.ts'
import type { TaskSpec } from '../runtime/task-spec.ts'
import type { MintTopology } from '../topology.ts'
import { GradedOdds } from './graded-odds.ts'
import { ModelSet } from './model-set.ts'
import { oddsFeedOf } from './odds-feed.ts'
import { LogOddsView } from './odds-view.ts'
import { ScorerTask } from './scorer-task.ts'
import { TrialsTask } from './trials-task.ts'
import { validationsOf } from './validations.ts'

export interface ChainOdds {
  readonly view: OddsView
  readonly feed: OddsFeed
  readonly validations: OddsModels
  readonly models: ModelSet
  /** Started by the view, and by the trials. */
  readonly graded: GradedOdds
  /** Scorer and trials, for the process that owns the chain's partition. */
  readonly parts: readonly TaskSpec[]
  /** The scorer, in the process that runs it. */
  readonly scorer: () => ScorerTask | null
}

/** Reads nothing until a part begins or `graded` is started. */
export const oddsOfChain = (log: Log, topology: MintTopology, notice: Notice, wall: () => number): ChainOdds => {
  const models = new ModelSet(log, topology.views.odds.reads.models, notice)
  const graded = new GradedOdds({ topology, log, models, notice, wall })
  const topicPartition = chainPartitionOf(topology)
  let scorer: ScorerTask | null = null
  const parts: readonly TaskSpec[] = [
    {
      name: ownName(topology.chain, 'scorer'),
      topicPartition,
      create: () => {
        scorer = new ScorerTask({ topology, log, models, notice })
        return scorer
      },
    },
    {
      name: ownName(topology.chain, 'trials'),
      topicPartition,
      create: () => new TrialsTask({ topology, log, models, graded, notice }),
    },
  ]
  const view = new LogOddsView(graded, topology)
  const feed = oddsFeedOf(log, topology.views.odds.reads.odds, topology.chain.conclusions, notice)
  const validations = validationsOf(models, view)
  return { view, feed, validations, models, graded, parts, scorer: () => scorer }
}
