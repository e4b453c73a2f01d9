// The document that explains a finding: the conclusion, its events, and whether a recomputation gives the same.
import { type DetectorFacts, thresholdsOf } from '../../../processors/mint/detectors/detector.ts'
import { keyText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { KeptFinding } from '../../ports/history.ts'
import type { Difference, Verdict } from '../../ports/recompute.ts'
import type { Topology } from '../../topology.ts'
import { verdictOf } from './compare.ts'
import { movedBetween, type Printed, RowPrinter } from './print-rows.ts'
import { printEvent, type Recomputed, type Wanted } from './recompute.ts'
import { keptOf } from './stored.ts'
import { type SeenRows, type Subject, subjectOf } from './subjects.ts'

/** Everything that the log, the history and the tape contain about a finding. */
export interface FindingSources {
  readonly wanted: Wanted
  /** As first stored; undefined if only the id is known. */
  readonly stored: KeptFinding | undefined
  /** Undefined without a tape. */
  readonly recomputed: Recomputed | undefined
  /** Rows of the finding's events from the history, by event id: for events that are not on the tape. */
  readonly history?: ReadonlyMap<string, object>
}

export interface Explained {
  readonly verdict: Verdict
  readonly document: Printed
}

const NO_TAPE: Verdict = { recomputed: null, recomputed_reason: 'its tape is no longer retained' }
const NOT_ON_TAPE = 'the tape does not contain the position of the finding'

/** The JSON document of a finding. `detector`: as registered in this version; undefined if there is none with this id. */
export const explainFinding = (
  { chain, folds }: Topology,
  processor: string,
  detector: DetectorFacts | undefined,
  { wanted, stored, recomputed, history }: FindingSources,
): Explained => {
  const verdict = recomputed === undefined ? NO_TAPE : verdictOf(wanted, stored, recomputed)
  const finding = stored ?? (recomputed?.found?.id === wanted.id ? keptOf(recomputed.found) : undefined)
  const subject = subjectOf(processor)
  const type = folds(1).folds.find((fold) => fold.processor.name === processor)?.state
  const rows =
    recomputed?.seen === undefined || subject === undefined || type === undefined
      ? { rows: null, rows_reason: NOT_ON_TAPE }
      : rowsPart(subject, new RowPrinter(type), chain.name, recomputed.seen)
  return {
    verdict,
    document: {
      finding_id: wanted.id,
      status: statusOf(stored, verdict),
      chain: chain.name,
      mint: keyText(wanted.key),
      position: formatPosition(wanted.at),
      detector_id: wanted.detector,
      ...findingPart(finding),
      ...verdict,
      fires_when: detector?.firesWhen ?? null,
      ...(detector === undefined ? { fires_when_reason: 'no detector of this id runs in this version' } : {}),
      thresholds: detector === undefined ? {} : thresholdsOf(detector),
      events: eventsPart(finding?.events ?? recomputed?.found?.body.events ?? [], recomputed, history),
      ...rows,
    },
  }
}

/** `not_stored`: neither log nor history has it; the id may belong to another tape. */
const statusOf = (stored: KeptFinding | undefined, { recomputed }: Verdict): string => {
  if (stored !== undefined) return stored.isRetracted ? 'retracted' : 'stands'
  return recomputed === 'same' ? 'found' : 'not_stored'
}

const NOT_FOUND = 'neither log nor history has it, and it was not found on the tape'

const findingPart = (finding: KeptFinding | undefined): Printed => {
  if (finding === undefined) return { flag: null, flag_reason: NOT_FOUND, evidence: null, evidence_reason: NOT_FOUND }
  const { flag, detectorVersion, at, mintAgeS, evidence } = finding
  return {
    flag,
    detector_version: detectorVersion,
    first_seen_at: at,
    mint_age_at_flag_s: mintAgeS,
    ...(mintAgeS === null ? { mint_age_at_flag_s_reason: 'its launch is not stored' } : {}),
    evidence: JSON.parse(evidence) as Printed,
  }
}

const eventsPart = (ids: readonly string[], recomputed: Recomputed | undefined, history: FindingSources['history']): readonly Printed[] =>
  ids.map((id) => {
    const event = recomputed?.events.get(id)
    if (event !== undefined) return printEvent(id, event)
    const row = history?.get(id)
    return row === undefined ? { event_id: id, note: 'neither the tape nor the history has it' } : { event_id: id, ...row }
  })

const rowsPart = (
  subject: Subject,
  printer: RowPrinter,
  chain: Topology['chain']['name'],
  { before, after }: { readonly before: SeenRows; readonly after: SeenRows },
): Printed => {
  const units = { chain, ...subject.unitsOf(after) }
  const print = (rows: SeenRows): Printed =>
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row && printer.print(subject.kindOf(name), row, units)]))
  const [was, is] = [print(before), print(after)]
  return { moved: movedBetween(was, is), rows: { before: was, after: is } }
}

/** One line for people: whether the tape reproduces the finding. */
export const verdictLine = (id: string, verdict: Verdict): string => {
  if (verdict.recomputed === 'same') return `${id}: reproduced from the tape`
  if (verdict.recomputed === null) return `${id}: could not be recomputed: ${verdict.recomputed_reason}`
  return `${id}: NOT REPRODUCED: ${verdict.differences.map(differenceText).join('; ')}`
}

const differenceText = ({ field, stored, recomputed }: Difference): string =>
  field === 'finding'
    ? 'the detector finds nothing for this coin on the tape'
    : `${field} is ${JSON.stringify(recomputed)}, not ${JSON.stringify(stored)}`
