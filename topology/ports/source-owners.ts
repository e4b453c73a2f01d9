// Ids under which sources commit what they write.
import type { Chain } from '../../schemas/types.ts'

/** Owner of whatever captures a chain: only one does at a time. */
export const captureOwner = (chain: Chain): string => `capture-${chain}`
/** Owner of the history that a demo writes before its frames. */
export const historyOwner = (chain: Chain): string => `history-${chain}`
