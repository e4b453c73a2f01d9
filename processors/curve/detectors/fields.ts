// Fields of the evidence of several detectors.
import type { EvidenceField } from '../../mint/detectors/detector.ts'

export const TX_HASH: EvidenceField = { type: 'text', words: 'hash of the transaction in which it fired' }
