// Which models score and which one is in force: a function only of the records of the topic `models` and of the tick's time.
//
// A model scores judgements whose tick is at or after `trialSince`, until it is retired. From `inForceSince` on its values are not shadow
// values.
import type { ModelRecord } from '../../../schemas/types.ts'

export type ModelStanding = Omit<ModelRecord, 'file'>

export interface Scoring {
  readonly id: string
  readonly shadow: boolean
}

const isOver = ({ state, since }: ModelStanding, at: number): boolean => state === 'retired' && at >= since

/** The model in force at a time, unix seconds; of several, which only a race between two writers of the log could cause, the newest. */
export const inForceAt = <Model extends ModelStanding>(models: Iterable<Model>, at: number): Model | undefined => {
  let found: Model | undefined
  for (const model of models) {
    const { inForceSince, sequence } = model
    if (inForceSince === null || at < inForceSince || isOver(model, at)) continue
    const [since = -1, number = 0] = [found?.inForceSince ?? undefined, found?.sequence]
    if (inForceSince > since || (inForceSince === since && sequence > number)) found = model
  }
  return found
}

/** The models that score a judgement at a tick of this time, in the order of their publication. */
export const scoringAt = (models: Iterable<ModelStanding>, at: number): readonly Scoring[] => {
  const all = [...models]
  const inForce = inForceAt(all, at)?.id
  return all
    .filter((model) => at >= model.trialSince && !isOver(model, at))
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ id }) => ({ id, shadow: id !== inForce }))
}
