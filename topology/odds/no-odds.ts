// The view of a log that no model was published to.
import type { OddsView } from '../ports/odds.ts'

export const noOdds: OddsView = {
  of: () => ({}),
  standing: (head) => ({ head, isShown: false, reason: 'no model was published yet', modelId: null, since: null }),
  withdrawnS: () => 0,
}
