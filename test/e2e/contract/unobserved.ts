// Rows that no demo of some hours shows, because they need something that fails, or days.

interface Holder {
  readonly test: string
  /** The only values of the row that the demo need not show, as in the verdict. */
  readonly reason?: string
}

/**
 * The test that holds each row. A list is thin once slots are lost, which degrades the whole demo. Odds are shown once a model is trained
 * and graded over days of launches; until then they are null with a reason, here as for every user. A row
 * of the preview has this flag only in the minute in which such a creator launches. None who has a graduated coin launches again in these
 * hours.
 */
const HELD_ELSEWHERE: Readonly<Record<string, Holder>> = {
  'AlertMessage odds': { test: 'test/integration/alerts.test.ts' },
  'CohortAnswer data.shape.creator_kind: first_time, mixed, serial_rugger, has_graduated': {
    test: 'test/unit/processors/mint/cohort.test.ts',
    reason: 'never has_graduated',
  },
  'LaunchesAnswer coverage: full, thin': { test: 'test/integration/api-launches.test.ts', reason: 'never thin' },
  'PreviewAnswer data.model.id': { test: 'test/integration/api-radar.test.ts' },
  'PreviewRow flags[]: serial_rugger_creator': { test: 'test/integration/api-radar.test.ts' },
  'PreviewRow probabilities.rug_within_300s': { test: 'test/integration/api-radar.test.ts' },
  'PreviewRow probabilities.true_graduation': { test: 'test/integration/api-radar.test.ts' },
}

/** Reason of a row that another test holds. */
export const heldBy = (file: string): string => `held by ${file}`

/** The test elsewhere that holds the row; undefined if the demo must show it. */
export const holderOf = (row: string, unobserved: string): string | undefined => {
  if (unobserved.startsWith(heldBy(''))) return unobserved.slice(heldBy('').length)
  const holder = HELD_ELSEWHERE[row]
  return holder?.reason === undefined || holder.reason === unobserved ? holder?.test : undefined
}
