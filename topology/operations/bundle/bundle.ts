// Writes a finding with its proof as one file, which `query-api/guides/verify_finding.py` checks without any code of this project.
import type { Chain } from '../../../schemas/types.ts'
import type { KeptFinding } from '../../ports/history.ts'
import type { Claim, EventProof, Prover } from '../../ports/proof.ts'
import { canonical, type Json, sealed } from './canonical.ts'

const FORM = 'mintfold-finding-1'
export const BUNDLE_BYTES_MAX = 50 * 1024

export interface Bundled {
  readonly id: string
  readonly chain: Chain
  readonly stored: KeptFinding
  readonly claims: readonly Claim[]
}

const NO_NODE = 'no node of the chain is set; transactions of a demo are simulated, so nobody signed them'
const ALL_OUR_WORD = ['all of it: nothing is proven here']

/** Event indexes by importance: the last event (the cause), the first (the launch or the peak), then the others. */
const byWorth = (claims: readonly Claim[]): readonly number[] => {
  const last = claims.length - 1
  const others = claims.map((_, n) => n).filter((n) => n !== 0 && n !== last)
  return last > 0 ? [last, 0, ...others] : claims.map((_, n) => n)
}

/**
 * The text of the file, at most `BUNDLE_BYTES_MAX` bytes: events that do not fit, or exceed `eventsMax`, are listed in
 * `left_out`. `prover`: null without a node.
 */
export const bundleText = async (
  { id, chain, stored, claims }: Bundled,
  prover: Prover | null,
  eventsMax: number = Number.POSITIVE_INFINITY,
): Promise<string> => {
  const { flag, detector, detectorVersion: detector_version, detectorHash: detector_hash, at, mintAgeS, evidence, isRetracted } = stored
  const fields = { flag, detector, detector_version, detector_hash, at, mint_age_s: mintAgeS, evidence, is_retracted: isRetracted }
  const finding = { id, ...fields }
  const head = { form: FORM, chain, finding, our_word: [...(prover?.ourWord ?? ALL_OUR_WORD)] }
  const proofs = new Map<number, EventProof | string>()
  const textOf = (): string => sealed({ ...head, ...eventsPart(claims, proofs) })
  for (const n of byWorth(claims).slice(0, eventsMax)) {
    proofs.set(n, (await prover?.prove(claims[n] as Claim)) ?? NO_NODE)
    if (textOf().length > BUNDLE_BYTES_MAX) proofs.delete(n)
  }
  return textOf()
}

/** Events in order of occurrence. A proof that several events share is stored once. */
const eventsPart = (claims: readonly Claim[], proofs: ReadonlyMap<number, EventProof | string>): Readonly<Record<string, Json>> => {
  const list: Json[] = []
  const places = new Map<string, number>()
  const eventOf = (claim: Claim, proof: EventProof | string): Json => {
    if (typeof proof === 'string') return { ...claim, proof: null, proof_reason: proof, proves: [] }
    const { of, log } = proof
    const key = canonical(of)
    const place = places.get(key) ?? list.push(of) - 1
    places.set(key, place)
    return { ...claim, proof: place, log, proves: [...proof.proves] }
  }
  const kept = claims.flatMap((claim, n) => {
    const proof = proofs.get(n)
    return proof === undefined ? [] : [eventOf(claim, proof)]
  })
  return { events: kept, proofs: list, left_out: claims.filter((_, n) => !proofs.has(n)).map(({ event_id }) => event_id) }
}
