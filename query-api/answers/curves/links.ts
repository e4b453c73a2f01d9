// Where answers about curves lead on.
const LAUNCHES = '/v1/alt/launches/recent'
const REGIME = '/v1/alt/regime'

/** `meta.next` of a card, as JSON text. */
export const CURVE_LINKS = JSON.stringify({ launches: LAUNCHES, regime: REGIME })
/** Of a list. */
export const LIST_LINKS = JSON.stringify({ curve: '/v1/alt/curve/{address}', regime: REGIME })
/** Of the regime. */
export const REGIME_LINKS = JSON.stringify({ launches: LAUNCHES })
