// The result of a detector on a stretch: its grades and its findings, which are shown and compared with those of the previous save.
import { keyText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { DetectorFile } from '../detector-file/load.ts'
import { gradesOf } from '../judge/grade.ts'
import { Ledger } from '../judge/ledger.ts'
import type { Graded } from '../report-types.ts'
import type { LaunchRead } from './launches.ts'
import type { Label } from './records.ts'

/** Evidence is shown and compared up to this many characters. */
const EVIDENCE_CHARACTERS_MAX = 4_000
/** Maximum number of findings: the newest are kept. */
const FINDINGS_MAX = 20_000

/** One finding. The mint identifies it: a detector fires at most once for each. */
export interface DevFinding {
  readonly mint: string
  /** Written by the coin's creator. */
  readonly name: string
  readonly symbol: string
  readonly position: string
  /** Unix seconds of the event at which the detector fired, and seconds from the launch to that event. */
  readonly at: number
  readonly ageS: number
  /** As JSON; cut after `EVIDENCE_CHARACTERS_MAX`. */
  readonly evidence: string
  readonly label: Label | null
}

export type EvaluatedDetector = Pick<DetectorFile, 'id' | 'version' | 'flag' | 'firesWhen' | 'settings' | 'hash'>

export interface Answer {
  readonly detector: EvaluatedDetector
  /** Unix seconds: the earliest launch time in the stretch, and the newest tick. */
  readonly from: number
  readonly to: number
  readonly launches: number
  /** Launches without a label so far. */
  readonly unresolved: number
  /** Newest first. */
  readonly findings: readonly DevFinding[]
  /** Number of older findings not listed. */
  readonly omitted: number
  readonly graded: Graded
}

interface AnswerOptions {
  readonly chain: Chain
  readonly from: number
  readonly to: number
  readonly delayS: number
}

/** Evaluates the launches read so far. */
export const answerOf = (detector: EvaluatedDetector, launches: readonly LaunchRead[], options: AnswerOptions): Answer => {
  const fired = launches.filter(({ evidence }) => evidence !== undefined)
  const findings = fired.map(findingOf).sort((a, b) => b.at - a.at || (a.mint < b.mint ? -1 : 1))
  return {
    detector,
    ...{ from: options.from, to: options.to, launches: launches.length },
    unresolved: launches.filter(({ label }) => label === undefined).length,
    findings: findings.slice(0, FINDINGS_MAX),
    omitted: Math.max(0, findings.length - FINDINGS_MAX),
    graded: gradedOf(detector, launches, options),
  }
}

const findingOf = ({ name, symbol, trial: { mint, launchedAt, fired }, rows, evidence = '', label }: LaunchRead): DevFinding => {
  const at = fired[0]?.at ?? 0
  const { position } = rows.rows as unknown as { readonly position: Parameters<typeof formatPosition>[0] }
  return {
    ...{ mint: keyText(mint), name, symbol, position: formatPosition(position), at, ageS: at - launchedAt },
    evidence: evidence.slice(0, EVIDENCE_CHARACTERS_MAX),
    label: label ?? null,
  }
}

/** Grades as `backtest` does: by all outcomes in the stretch, whether they came before or after the finding. */
const gradedOf = (detector: EvaluatedDetector, launches: readonly LaunchRead[], { chain, delayS, from, to }: AnswerOptions): Graded => {
  const ledger = new Ledger({ chain, detectors: [detector.id], delayS, buyer: null })
  for (const { trial, label, judged } of launches) {
    if (label !== undefined && judged !== undefined) ledger.judge(judged, label)
    ledger.over({ ...trial, isJudged: label !== undefined })
  }
  const { id, version, hash, flag, firesWhen } = detector
  const candidate = {
    ...{ name: id, detector: { id, version, hash, tier: 'yours' as const, flag, firesWhen } },
    ...{ settings: {}, isDefault: true, find: () => undefined },
  }
  const counted = { lookAhead: null, loss: null }
  return gradesOf([candidate], ledger, [counted], { from, to, buyer: null, explain: (_, mint) => mint })[0] as Graded
}
