// Validation results of the current model on launches that it was neither trained nor calibrated on.

import type { OddsHead } from '../../processors/odds/heads.ts'

/** Metrics from the model's file, by the set of launches they cover. */
export interface Validation {
  readonly modelId: string
  readonly metrics: Readonly<Record<string, Readonly<Record<string, number | string | null>>>>
}

export interface OddsModels {
  /** Of the current model; null while there is none. */
  validation(head: OddsHead): Validation | null
}
