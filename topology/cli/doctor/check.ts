// The result of one check of `doctor`.

export interface Check {
  readonly name: string
  readonly ok: boolean
  /** What was found; if not ok, also what to do. */
  readonly text: string
}

export const good = (name: string, text: string): Check => ({ name, ok: true, text })
export const poor = (name: string, text: string): Check => ({ name, ok: false, text })
