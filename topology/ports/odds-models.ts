// How the model in force graded before it was in force: on launches that it was neither trained nor calibrated on.

import type { OddsHead } from '../../processors/odds/heads.ts'

/** As the model's file has them, by the set of launches that they are of. */
export interface Validation {
  readonly modelId: string
  readonly metrics: Readonly<Record<string, Readonly<Record<string, number | string | null>>>>
}

export interface OddsModels {
  /** Of the model in force; null while there is none. */
  validation(head: OddsHead): Validation | null
}
