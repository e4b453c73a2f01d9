// `/v1/odds/proof`: the Merkle proof of a logged value against the root of its hour; free.
import { explain } from '../../../processors/mint/card/explain.ts'
import { ODDS_HEADS } from '../../../processors/odds/heads.ts'
import { keyText } from '../../../schemas/keys.ts'
import { numberIn } from '../../../schemas/position.ts'
import { HOUR_S, type OddsKey, type OddsProof, ROOT_WAIT_S } from '../../../topology/ports/odds-history.ts'
import type { ProofData } from '../../answer-schemas/odds/outcomes.ts'
import { type Answer, historyAway, RESTORING, refusal } from '../../questions/bodies.ts'
import type { Param } from '../../questions/params.ts'
import { NO_HISTORY } from '../cards/base-rates.ts'
import { DELAY_S } from '../delay.ts'
import { enveloped, newest, type RequestContext } from '../question.ts'
import type { Service } from '../service.ts'
import { loggedData } from './outcomes.ts'

const ID_CHARS_MAX = 250
const ID_PATTERN = `^[^@\\s]{1,60}@[0-9A-Za-z]{1,8}:odds:[1-9A-HJ-NP-Za-km-z]{32,44}:(${ODDS_HEADS.join('|')}):[0-9A-Za-z_.-]{1,64}$`
const ID = new RegExp(ID_PATTERN)

const oddsId: Param<string> = {
  schema: {
    type: 'string',
    maxLength: ID_CHARS_MAX,
    pattern: ID_PATTERN,
    description: 'Id of a logged value from /v1/outcomes/{mint}: position@hash8:odds:mint:head:model.',
  },
  parse: (text) =>
    text.length <= ID_CHARS_MAX && ID.test(text)
      ? { ok: true, value: text }
      : {
          ok: false,
          problem: {
            type: 'string_pattern_mismatch',
            msg: 'Value should be the id of a logged value: position@hash8:odds:mint:head:model',
            ctx: { pattern: ID_PATTERN },
          },
        },
}
export const proofParams = { id: oddsId }

export const answerProof = async ({ id }: { readonly id: string }, ask: RequestContext): Promise<Answer> => {
  const { service } = ask
  const key = oddsKeyOf(id, service)
  if (key === null) return UNKNOWN
  const found = (await service.options.history?.oddsProof(key)) ?? { ok: false as const, reason: NO_HISTORY }
  const instant = newest(ask)
  if (!instant.status.ready) return RESTORING
  if (!found.ok) return historyAway(found.reason)
  if (found.value === null) return UNKNOWN
  const data = dataOf(found.value, instant.moment.asOf - DELAY_S)
  const next = JSON.stringify({ outcomes: `/v1/outcomes/${keyText(key.mint)}`, calibration: '/v1/calibration' })
  return enveloped({ ...ask, instant }, { coverage: 'full', data: JSON.stringify(data), next, delayedS: DELAY_S })
}

const oddsKeyOf = (id: string, { options }: Service): OddsKey | null => {
  const [position = '', rest = ''] = id.split('@')
  const number = numberIn(position)
  const mint = options.chain.keys.parse(rest.split(':')[2] ?? '')
  return number === undefined || mint === undefined ? null : { id, mint, number }
}

const HOW = [
  'line = mintfold-odds-1, odds_id, mint, head, age_s, t0, ppm, model_id, inputs_hash, at, and live or shadow, separated by tabs, in UTF-8',
  'leaf = SHA-256(byte 0, line)',
  'node = leaf, then for each hash of proof: node = SHA-256(byte 1, the lower of node and hash, the higher), compared as bytes',
  'root = SHA-256(byte 2, hour, a tab, n, a tab, node), hour and n as decimal digits',
  'at must lie within the hour; compare the root with the one you stored, from /v1/calibration or the view odds_roots',
  'mintfold verify-odds FILE does this with a single file without imports: query-api/guides/verify_odds.mjs',
].join('. ')

const YOUNG = `odds are free ${DELAY_S} s after they were logged`
const OPEN = 'the hour has no root yet: it is computed once the history is complete up to closes_at'
const LEFT_OUT = 'the root of the hour does not cover the value: the value arrived after the root was computed, or was retracted before'

export const dataOf = (found: OddsProof, before: number): ProofData => {
  const { value, state } = found
  const hour = Math.floor(value.at / HOUR_S) * HOUR_S
  const isFree = value.at <= before
  const noRoot = state === 'open' ? OPEN : LEFT_OUT
  return {
    state,
    hour,
    closes_at: hour + HOUR_S + ROOT_WAIT_S,
    ...explain({ value: isFree ? valueData(found) : null, line: isFree ? found.line : null }, { value: YOUNG, line: YOUNG }),
    ...explain(
      {
        leaf: isFree ? found.leaf : null,
        n: state === 'open' ? null : found.root.n,
        proof: state === 'proven' ? [...found.proof] : null,
        root: state === 'open' ? null : found.root.root,
        made_at: state === 'open' ? null : found.madeAt,
      },
      { leaf: YOUNG, n: noRoot, proof: noRoot, root: noRoot, made_at: noRoot },
    ),
    how_to_verify: HOW,
    delayed_s: DELAY_S,
  }
}

const valueData = ({ value, isRetracted }: OddsProof): NonNullable<ProofData['value']> => ({
  odds_id: value.id,
  ...loggedData({ ...value, isRetracted }),
  ...{ t0: value.t0, ppm: value.ppm, inputs_hash: value.inputsHash },
  ...{ is_shadow: value.isShadow, is_retracted: isRetracted },
})

const UNKNOWN = refusal(404, 'unknown_odds', 'no value with this id was logged; /v1/outcomes/{mint} lists the ids of a launch')
