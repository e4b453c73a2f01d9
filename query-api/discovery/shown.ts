// Requests that documents, pages and offers show: about a mint, its creator and a finding of now, so that they are answered.
import { keyText } from '../../schemas/keys.ts'
import { sampleFlags, sampleLaunch } from '../answers/cards/samples.ts'
import { DELAY_S } from '../answers/delay.ts'
import type { Service } from '../answers/service.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'

/** By name of the placeholder in `QuestionFacts.example`. */
export interface Shown {
  /** Public origin of the server. */
  readonly baseUrl: string
  readonly mint: string
  readonly address: string
  /** A curve of now, else an address of none. */
  readonly curve: string
  /** Null while no finding is old enough to be free. */
  readonly finding_id: string | null
  /** Null while no hour with logged odds has its root. */
  readonly odds_id: string | null
}

/** The same mint is shown for so long, wall milliseconds: documents that show it stay the same. */
const SHOWN_MS = 300_000
/** While there is nothing of now to show, it is looked for again after this. */
const NOTHING_MS = 5_000
/** An address of no mint: its card, record and coverage are answered too. */
const NO_MINT = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'

const NO_CURVE = '0x5bcEaE3B9c6F1e3cc4bA3D4B8a1A6ed0D3e2f4A1'

const NOTHING = { mint: NO_MINT, address: NO_MINT, finding_id: null }

const kept = new WeakMap<Service, { readonly shown: Shown; readonly untilMs: number }>()

/** The same object until another mint is shown. */
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
  const look = service.look()
  const { baseUrl, history } = service.options
  const ledger = history?.oddsLedger()
  const odds_id = ledger?.ok === true ? ledger.value.exampleId : null
  const launch = look.status.ready ? sampleLaunch(service, look) : undefined
  const curve = shownCurve(service)
  if (launch === undefined) return { baseUrl, curve, odds_id, ...NOTHING }
  const { creator } = launch.head.launch ?? {}
  return {
    baseUrl,
    curve,
    odds_id,
    mint: keyText(launch.mint),
    address: creator === undefined ? NO_MINT : keyText(creator),
    finding_id: sampleFlags(service, look, 1)[0]?.findingId ?? null,
  }
}

/** The newest that is old enough to have traded. */
const shownCurve = ({ curves }: Service): string => {
  const { view } = curves.ground
  const [snapshot] = view.launchesSince(0, (view.status().folded?.time ?? 0) - DELAY_S)
  return snapshot?.head.launch ? keyText(snapshot.head.launch.curve) : NO_CURVE
}

/** Path and query of the question's example; null where it names what there is none of. */
export const requestOf = ({ example }: Pick<QuestionFacts, 'example'>, shown: Shown): string | null => {
  let isKnown = true
  const request = example.replaceAll(/\{(\w+)\}/g, (_text, name: keyof Shown) => {
    const value = shown[name]
    isKnown &&= value !== null
    return value ?? ''
  })
  return isKnown ? request : null
}

/** What stands for a parameter of the path; null where there is none of now. */
export const shownFor = ({ market }: Pick<QuestionFacts, 'market'>, name: string, shown: Shown): string | null =>
  market === 'curves' ? shown.curve : shown[name as keyof Shown]

/** The request with its parameters apart. */
export const inputOf = (
  facts: Pick<QuestionFacts, 'path' | 'example'>,
  shown: Shown,
): { readonly path: string; readonly query: Readonly<Record<string, string>> } => {
  const [path = facts.path, query = ''] = (requestOf(facts, shown) ?? facts.path).split('?')
  return { path, query: Object.fromEntries(new URLSearchParams(query)) }
}
