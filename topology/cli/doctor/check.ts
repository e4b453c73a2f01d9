// The result of one check of `doctor`.

export interface Check {
  readonly name: string
  readonly ok: boolean
  /** What was found; if not ok, also what to do. */
  readonly words: string
}

export const good = (name: string, words: string): Check => ({ name, ok: true, words })
export const poor = (name: string, words: string): Check => ({ name, ok: false, words })
