// Rows that no demo of some hours shows, because they need something that fails, or days.

/**
 * The test that holds each row. A list is thin once slots are lost, which degrades the whole demo. Odds are shown once a model is trained
 * and graded over days of launches; until then they are null with a reason, here as for every user. A row
 * of the preview has this flag only in the minute in which such a creator launches. None who has a graduated coin launches again in these
 * hours.
 */
const HELD_ELSEWHERE: Readonly<Record<string, string>> = {
  'AlertMessage odds': 'test/integration/alerts.test.ts',
  'CohortAnswer data.shape.creator_kind: first_time, mixed, serial_rugger, has_graduated': 'test/unit/processors/mint/cohort.test.ts',
  'LaunchesAnswer coverage: full, thin': 'test/integration/api-launches.test.ts',
  'PreviewAnswer data.model.id': 'test/integration/api-radar.test.ts',
  'PreviewRow flags[]: serial_rugger_creator': 'test/integration/api-radar.test.ts',
  'PreviewRow probabilities.rug_within_300s': 'test/integration/api-radar.test.ts',
  'PreviewRow probabilities.true_graduation': 'test/integration/api-radar.test.ts',
}

/** Reason of a row that another test holds. */
export const heldBy = (file: string): string => `held by ${file}`

/** The test elsewhere that holds the row; undefined if the demo must show it. */
export const holderOf = (row: string, unobserved: string): string | undefined =>
  unobserved.startsWith(heldBy('')) ? unobserved.slice(heldBy('').length) : HELD_ELSEWHERE[row]
