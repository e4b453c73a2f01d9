// Validation metrics of the model in force, from its file, on launches that it was not trained on.
import { readModel } from '../../processors/odds/model.ts'
import { hasCode } from '../../schemas/errors.ts'
import type { ModelRecord } from '../../schemas/types.ts'
import type { OddsView } from '../ports/odds.ts'
import type { OddsModels, Validation } from '../ports/odds-models.ts'

type Models = { records(): readonly Pick<ModelRecord, 'id' | 'file'>[] }
type Heads = ReturnType<typeof readModel>['body']['heads']

/** Reads a file once. */
export const validationsOf = (models: Models, view: Pick<OddsView, 'headState'>): OddsModels => {
  let kept: { readonly id: string; readonly heads: Heads | null } | undefined
  const headsOf = (id: string): Heads | null => {
    if (kept?.id !== id) {
      const record = models.records().find((one) => one.id === id)
      if (record === undefined) return null
      kept = { id, heads: headsIn(record) }
    }
    return kept.heads
  }
  return {
    validation: (head): Validation | null => {
      const { modelId } = view.headState(head)
      const heads = modelId === null ? null : headsOf(modelId)
      return modelId === null || heads === null ? null : { modelId, metrics: heads[head].metrics }
    },
  }
}

/** Null for a model with other features. */
const headsIn = ({ file }: Pick<ModelRecord, 'file'>): Heads | null => {
  try {
    return readModel(file).body.heads
  } catch (failure) {
    if (!hasCode(failure, 'model_unfit')) throw failure
    return null
  }
}
