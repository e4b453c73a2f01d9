// The example requests in documents, pages and offers: about a current mint, creator and finding, so that each returns an answer.
import { keyText } from '../../schemas/keys.ts'
import { sampleFlags, sampleLaunch } from '../answers/cards/samples.ts'
import { DELAY_S } from '../answers/delay.ts'
import type { Service } from '../answers/service.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'

/** Values of the placeholders in `QuestionFacts.example`, by name. */
export interface Shown {
  /** Public origin of the server. */
  readonly baseUrl: string
  readonly mint: string
  readonly address: string
  /** A current curve, else an unused address. */
  readonly curve: string
  /** Null while no finding is old enough to be free. */
  readonly finding_id: string | null
  /** Null while no hour with logged odds has its root. */
  readonly odds_id: string | null
}

/** How long the same mint is shown, wall milliseconds: documents with it do not change in this time. */
const SHOWN_MS = 300_000
/** Retry interval while there is no finding to show, wall milliseconds. */
const NOTHING_MS = 5_000
/** An address that is not a mint: its card, record and coverage still return answers. */
const NO_MINT = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'

const NO_CURVE = '0x5bcEaE3B9c6F1e3cc4bA3D4B8a1A6ed0D3e2f4A1'

const NOTHING = { mint: NO_MINT, address: NO_MINT, finding_id: null }

const kept = new WeakMap<Service, { readonly shown: Shown; readonly untilMs: number }>()

/** Returns the same object until one of its values changes. */
export const shownOf = (service: Service): Shown => {
  const nowMs = service.options.wallClock.now()
  const last = kept.get(service)
  if (last !== undefined && nowMs < last.untilMs) return last.shown
  const made = shownNow(service)
  const isSame = last !== undefined && JSON.stringify(made) === JSON.stringify(last.shown)
  const shown = isSame ? last.shown : Object.freeze(made)
  kept.set(service, { shown, untilMs: nowMs + (made.finding_id === null ? NOTHING_MS : SHOWN_MS) })
  return shown
}

const shownNow = (service: Service): Shown => {
  const instant = service.instant()
  const { baseUrl, history } = service.options
  const ledger = history?.oddsLedger()
  const odds_id = ledger?.ok === true ? ledger.value.exampleId : null
  const launch = instant?.status.ready ? sampleLaunch(service, instant) : undefined
  const curve = shownCurve(service)
  if (instant === null || launch === undefined) return { baseUrl, curve, odds_id, ...NOTHING }
  const { creator } = launch.head.launch ?? {}
  return {
    baseUrl,
    curve,
    odds_id,
    mint: keyText(launch.mint),
    address: creator === undefined ? NO_MINT : keyText(creator),
    finding_id: sampleFlags(service, instant, 1)[0]?.findingId ?? null,
  }
}

/** The newest curve that is old enough to have trades. */
const shownCurve = ({ curves }: Service): string => {
  const { view } = curves.context
  const [snapshot] = view.launchesSince(0, (view.status().folded?.time ?? 0) - DELAY_S)
  return snapshot?.head.launch ? keyText(snapshot.head.launch.curve) : NO_CURVE
}

/** Path and query of the question's example; null if one of its placeholders has no value. */
export const requestOf = ({ example }: Pick<QuestionFacts, 'example'>, shown: Shown): string | null => {
  let isKnown = true
  const request = example.replaceAll(/\{(\w+)\}/g, (_text, name: keyof Shown) => {
    const value = shown[name]
    isKnown &&= value !== null
    return value ?? ''
  })
  return isKnown ? request : null
}

/** The example value of a path parameter; null if there is none now. */
export const shownFor = ({ market }: Pick<QuestionFacts, 'market'>, name: string, shown: Shown): string | null =>
  market === 'curves' ? shown.curve : shown[name as keyof Shown]

/** The example request, split into path and query parameters. */
export const inputOf = (
  facts: Pick<QuestionFacts, 'path' | 'example'>,
  shown: Shown,
): { readonly path: string; readonly query: Readonly<Record<string, string>> } => {
  const [path = facts.path, query = ''] = (requestOf(facts, shown) ?? facts.path).split('?')
  return { path, query: Object.fromEntries(new URLSearchParams(query)) }
}
