// Rows of the contract about pushed alerts.
import { type RuleRow, rule } from './rule-row.ts'

const ALERTS = 'test/integration/api-alerts.test.ts'
const DELIVERED = 'test/integration/alerts.test.ts'
const CHALLENGED = 'test/integration/alerts-challenge.test.ts'
const COMMAND = 'test/integration/operations/alerts-command.test.ts'

export const pushRules: readonly RuleRow[] = [
  rule(
    'limit: push alert, 30 days per payment',
    ALERTS,
    'returns id, secret and end, and stores the subscription; unpaid it is a 402 and stores none',
  ),
  rule(
    'push alert: no sale while the odds are withdrawn',
    ALERTS,
    'of alerts on odds is refused unpaid while the odds are withdrawn, with the reason; a sale of alerts on flags is not',
  ),
  rule(
    'push alert: time withdrawn is added to the term',
    DELIVERED,
    'pushes nothing while odds are withdrawn; pushes what is logged after they return, and extends the term by that time',
  ),
  rule(
    'push alert: signed, at least once, with a stable id',
    DELIVERED,
    'retries failures with growing backoff and the same id until the alert arrives',
  ),
  rule(
    'push alert: a generic target proves by a challenge that it wants the alerts; else the sale is refused, unpaid',
    CHALLENGED,
    'a target that %s is refused unpaid, with what it must answer',
  ),
  rule(
    'push alert: at most one challenge a minute for each host',
    CHALLENGED,
    'a host is challenged once a minute, whatever its path; another sale is refused unpaid until then',
  ),
  rule(
    'push alert: a target that times out is paused by itself, and the list says so',
    COMMAND,
    'list states of a target that fails until when it is paused, why, and since when',
  ),
  rule('push alert: secrets are redacted', ALERTS, 'appears in no 402, receipt, log or figure: %s'),
]
