// Rows of the contract about what is pushed.
import { type RuleRow, rule } from './rule-row.ts'

const ALERTS = 'test/integration/api-alerts.test.ts'
const DELIVERED = 'test/integration/alerts.test.ts'

export const pushRules: readonly RuleRow[] = [
  rule(
    'limit: push alert, 30 days per payment',
    ALERTS,
    'gives id, secret and end, and the subscription is there; unpaid it is asked for and there is none',
  ),
  rule(
    'push alert: no sale while the odds are withdrawn',
    ALERTS,
    'of odds is refused unpaid while they are withdrawn, with the reason; that of flags is not',
  ),
  rule(
    'push alert: time withdrawn is added to the term',
    DELIVERED,
    'while they are withdrawn nothing is pushed; what is logged after they return is, and the time is added to the term',
  ),
  rule(
    'push alert: signed, at least once, with a stable id',
    DELIVERED,
    'what fails is tried again after growing pauses, with the same id, until it arrives',
  ),
  rule('push alert: secrets are redacted', ALERTS, 'is in no 402, receipt, log or figure: %s'),
]
