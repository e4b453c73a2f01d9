// `data` of `/v1/alerts/webhook`, and what is pushed.
import { z } from 'zod'
import { address, fields, share, text, unixSeconds } from './vocabulary.ts'

const kind = z.enum(['graduation_odds', 'rug_flags'])

export const alertReceipt = fields({
  subscription_id: text.describe('names the subscription; the same for a payment that is sent again'),
  secret: text.describe('key of the HMAC-SHA256 over each body that is pushed (UTF-8 of this text): keep it, it is shown once'),
  expires_at: unixSeconds.describe(
    'stream time of its end, unix seconds: 30 days on. Time in which the odds of graduation are withdrawn is added where kinds has them',
  ),
  kinds: z.array(kind).describe('what is pushed'),
  min_odds: share.describe('odds of true graduation from which on a mint is pushed'),
})

/** Body that a generic target is sent. */
export const alertMessage = fields({
  id: text.describe('the same for the same subscription, mint and kind (of a flag: finding): an alert may come twice, and has the same id'),
  kind: z.enum(['graduation_odds', 'rug_flags', 'test']).describe('what it is about; test: mintfold alerts test, nothing happened'),
  t: unixSeconds.describe('when it happened, stream time, unix seconds'),
  mint: address.describe('token address'),
  name: text.nullable().describe("the creator's own words, cleaned and cut"),
  symbol: text.nullable().describe("the creator's own words, cleaned and cut"),
  odds: share.nullable().describe('odds of true graduation, as logged; null for other kinds'),
  card_url: text.describe('the full card, which is sold'),
  flag: text.optional().describe('mechanism, of rug_flags'),
  finding_id: text.optional().describe('of rug_flags'),
  evidence_url: text.optional().describe('of rug_flags: what the flag rests on, free after 300 s, and whether it still stands'),
})
