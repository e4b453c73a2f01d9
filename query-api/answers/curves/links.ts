// Links to related resources in answers about curves.
const LAUNCHES = '/v1/alt/launches/recent'
const REGIME = '/v1/alt/regime'

/** `meta.next` of a card, as JSON text. */
export const CURVE_LINKS = JSON.stringify({ launches: LAUNCHES, regime: REGIME })
/** `meta.next` of a list. */
export const LIST_LINKS = JSON.stringify({ curve: '/v1/alt/curve/{address}', regime: REGIME })
/** `meta.next` of the regime. */
export const REGIME_LINKS = JSON.stringify({ launches: LAUNCHES })
