// `/v1/evidence/{finding_id}`: the evidence and current status of a finding; free, for findings at least five minutes old.
import type { ChainDefinition } from '../../../processors/chains/chain.ts'
import { UNHASHED } from '../../../processors/mint/card/card-parts.ts'
import { explain } from '../../../processors/mint/card/explain.ts'
import { thresholdsOf } from '../../../processors/mint/detectors/detector.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import { formatPosition, type Position, parseFindingId } from '../../../schemas/position.ts'
import type { KeptFinding } from '../../../topology/ports/history.ts'
import type { StoredFinding } from '../../../topology/ports/recompute.ts'
import { type Answer, historyAway, RESTORING, refusal } from '../../questions/bodies.ts'
import { boolean, type Param } from '../../questions/params.ts'
import type { Market } from '../../questions/question-facts.ts'
import { DELAY_S } from '../delay.ts'
import { type RequestContext, withoutClock } from '../question.ts'
import type { Instant, Service } from '../service.ts'
import { NO_HISTORY } from './base-rates.ts'

const ID_CHARS_MAX = 200
/** Minimum duration of a slot and of a block, seconds, for estimating a finding's time from its slot or block number. */
const NUMBER_S: Readonly<Record<Market, number>> = { mints: 0.4, curves: 0.1 }
/** Tolerance of that estimate, seconds, because slots may take longer. */
const SLOW_S = 60

interface RequestedFinding {
  readonly market: Market
  readonly id: string
  readonly mint: Key
  readonly at: Position
  /** Slot, or block of the alt chain. */
  readonly number: number
  readonly detector: string
}

const requestedIn = (text: string, market: Market, { positions, keys }: ChainDefinition): RequestedFinding | null => {
  const parsed = text.length > ID_CHARS_MAX ? undefined : parseFindingId(text, positions)
  const mint = parsed && keys.parse(parsed.mint)
  return parsed === undefined || mint === undefined ? null : { ...parsed, market, number: parsed.at.number, mint }
}

const requested = (text: string, { options, curves }: Service): RequestedFinding | null =>
  requestedIn(text, 'mints', options.chain) ?? requestedIn(text, 'curves', curves.context.chain)

/** The view with the market's flags. */
const viewOf = (market: Market, { options, curves }: Service) => (market === 'mints' ? options.view : curves.context.view)
const finalityIn = ({ market, at }: RequestedFinding, service: Service) =>
  (market === 'mints' ? service : service.curves).finalityOf(at.number)

/** Accepts any text: an invalid id is an unknown finding. */
const findingParam: Param<string> = {
  schema: {
    type: 'string',
    maxLength: ID_CHARS_MAX,
    description: 'Id of a finding from a compact check or card: position@hash8:detector:mint.',
  },
  parse: (text) => ({ ok: true, value: text }),
}
const BUNDLE_DOC =
  'True: adds the signed bytes that prove its events, for verify_finding.py; for a limited number of events, one finding at a time.'
export const evidenceParams = { finding_id: findingParam, bundle: boolean({ fallback: false, doc: BUNDLE_DOC }) }
interface EvidenceInput {
  readonly finding_id: string
  readonly bundle: boolean
}

/** A stored finding; the events and the detector's version are known only if the history has it. */
interface Known extends Omit<KeptFinding, 'events' | 'detectorVersion'> {
  readonly detectorVersion: number | null
  readonly events: readonly string[] | null
}

/**
 * Reads the history, which has the events, else the stores. A young finding is still sold, so it gets the same answer (`withheld`) as an
 * unknown id of that age.
 */
export const answerEvidence = async ({ finding_id, bundle }: EvidenceInput, ask: RequestContext): Promise<Answer> => {
  const { service } = ask
  const wanted = requested(finding_id, service)
  if (wanted === null) return UNKNOWN
  const { market } = wanted
  const facts = { ...ask.facts, market }
  const kept = await service.options.history?.finding(wanted)
  const instant = service.instant(market)
  if (instant === null) return withoutClock(service.look(market))
  if (!instant.status.ready) return RESTORING
  const known = (kept?.ok === true ? kept.value : null) ?? fromStores(wanted, service)
  if (known === null && kept?.ok === false) return away(kept.reason)
  const freeAt = freeAtOf(wanted, instant)
  if (known === null ? isYoung(freeAt, instant) : known.at > instant.moment.asOf - DELAY_S)
    return withheld(wanted, freeAt, { ...ask, facts }, instant)
  if (known === null) return UNKNOWN
  const isRetracted = isRetractedNow(wanted, service) ?? known.isRetracted
  const noEvents = kept === undefined ? NO_HISTORY : kept.ok ? 'the history does not have this finding yet' : kept.reason
  const held = { ...known, isRetracted }
  const again = await computedAgain(wanted, held, service)
  const shown = JSON.stringify({ ...dataOf(wanted, held, service, noEvents), ...again, delayed_s: DELAY_S })
  const data = bundle ? `${shown.slice(0, -1)},${await bundleMember(wanted, held, service)}}` : shown
  return { status: 200, body: service.envelope(facts, instant, { coverage: 'full', data, next: nextOf(wanted), delayedS: DELAY_S }) }
}

/** When findings of the requested slot or block become free, unix seconds, estimated from its number; 0 before the first frame. */
const freeAtOf = ({ number, market }: RequestedFinding, { status: { folded } }: Instant): number =>
  folded === null ? 0 : Math.ceil(folded.time - (folded.number - number) * NUMBER_S[market]) + DELAY_S

const isYoung = (freeAt: number, { moment: { asOf } }: Instant): boolean => freeAt > asOf - SLOW_S && freeAt < asOf + DELAY_S + SLOW_S

/** The answer for an id that is too young. Does not reveal whether the finding exists. */
const withheld = (
  { id, market, mint, at, detector }: RequestedFinding,
  freeAt: number,
  { service, facts }: RequestContext,
  instant: Instant,
): Answer => {
  const data = JSON.stringify({
    finding_id: id,
    status: 'withheld',
    mint: keyText(mint),
    detector_id: detector,
    position: formatPosition(at),
    free_at: Math.max(freeAt, instant.moment.asOf + 1),
    delayed_s: DELAY_S,
  })
  return {
    status: 200,
    body: service.envelope(facts, instant, { coverage: 'full', data, next: nextOf({ market, mint }), delayedS: DELAY_S }),
  }
}

const dataOf = (wanted: RequestedFinding, known: Known, service: Service, noEvents: string) =>
  explain(
    {
      finding_id: wanted.id,
      status: known.isRetracted ? 'retracted' : 'stands',
      mint: keyText(wanted.mint),
      flag: known.flag,
      detector_id: known.detector,
      detector_version: known.detectorVersion,
      detector_hash: known.detectorHash,
      first_seen_at: known.at,
      mint_age_at_flag_s: known.mintAgeS,
      position: formatPosition(wanted.at),
      finality: known.isRetracted ? null : finalityIn(wanted, service),
      evidence: JSON.parse(known.evidence) as Readonly<Record<string, unknown>>,
      events: known.events,
    },
    {
      detector_version: noEvents,
      detector_hash: known.detectorVersion === null ? noEvents : UNHASHED,
      mint_age_at_flag_s: 'its launch is not stored',
      finality: 'its slot is not on the chain, or the finding is no longer found there',
      events: noEvents,
    },
  )

/** The bundle's exact text, because verifiers depend on its bytes. */
const bundleMember = async ({ id }: RequestedFinding, known: Known, { options }: Service): Promise<string> => {
  const answer = await options.recomputer?.bundle(id, storedOf(known))
  if (answer?.ok === true) return `"bundle":${answer.text.trimEnd()}`
  return `"bundle":null,"bundle_reason":${JSON.stringify(answer?.reason ?? NOT_COMPUTED)}`
}
const storedOf = ({ detectorVersion, events, ...facts }: Known): StoredFinding => ({
  ...facts,
  ...(detectorVersion !== null && { detectorVersion }),
  ...(events !== null && { events }),
})

const NOT_COMPUTED = 'this server does not recompute findings'

/** The result of recomputing the finding from the tape, with its events. */
const computedAgain = async ({ id, market, detector }: RequestedFinding, known: Known, { options, curves }: Service) => {
  const again = await options.recomputer?.recompute(id, storedOf(known))
  const of = (market === 'mints' ? options : curves.context).detectors.all.find((one) => one.id === detector)
  const verdict = again?.verdict ?? { recomputed: null, recomputed_reason: NOT_COMPUTED }
  const noProof = verdict.recomputed === null ? verdict.recomputed_reason : 'the tape does not have all of them'
  const noDetector = 'this version has no detector with this id'
  return {
    ...explain(
      { proof: again?.events ?? null, fires_when: of?.firesWhen ?? null, thresholds: of === undefined ? null : thresholdsOf(of) },
      { proof: noProof, fires_when: noDetector, thresholds: noDetector },
    ),
    ...verdict,
  }
}

/** From the mint's rows, or from the retracted flags. */
const fromStores = ({ id, market, mint, detector }: RequestedFinding, service: Service): Known | null => {
  const view = viewOf(market, service)
  const state = view.get(mint)?.state
  const row = state?.flags.find(({ findingId }) => findingId === id)
  if (row !== undefined) {
    const { flag, firstSeenAt: at, detectorVersion, detectorHash, evidence } = row
    return {
      flag,
      detector,
      detectorVersion,
      detectorHash,
      at,
      mintAgeS: state?.launch ? at - state.launch.at : null,
      evidence,
      events: null,
      isRetracted: false,
    }
  }
  const gone = view.retracted(id)
  if (gone === undefined) return null
  const { flag, at, mintAgeS, evidence } = gone
  return { flag, detector, detectorVersion: null, detectorHash: null, at, mintAgeS, evidence, events: null, isRetracted: true }
}

/** From the stores, which are ahead of the history; undefined if they do not have the finding. */
const isRetractedNow = ({ id, market, mint }: RequestedFinding, service: Service): boolean | undefined => {
  const view = viewOf(market, service)
  if (view.retracted(id) !== undefined) return true
  return view.get(mint)?.state.flags.some(({ findingId }) => findingId === id) ? false : undefined
}

const nextOf = ({ market, mint }: Pick<RequestedFinding, 'market' | 'mint'>): string =>
  JSON.stringify(market === 'mints' ? { mint: `/v1/mint/${keyText(mint)}` } : { curve: `/v1/alt/curve/${keyText(mint)}` })

const UNKNOWN = refusal(
  404,
  'unknown_finding',
  `no finding with this id and an age of at least ${DELAY_S} s is known; compact checks and cards list ids`,
)
const away = (reason: string): Answer => historyAway(`${reason}, and the stores do not have this finding`)
