// A finding with its proof in one file: `query-api/guides/verify_finding.py` checks it without anything of ours.
import type { Chain } from '../../../schemas/types.ts'
import type { KeptFinding } from '../../ports/history.ts'
import { logOf, type ProvenBlock, receiptProofOf, unproven } from './alt-proof.ts'
import { canonical, type Json, sealed } from './canonical.ts'
import type { Claim } from './claims.ts'
import { provenBy, unsigned } from './solana-proof.ts'

const FORM = 'mintfold-finding-1'
export const BUNDLE_BYTES_MAX = 50 * 1024

/** Where bytes of the chain come from. Each gives a reason where it has none. */
export interface ChainBytes {
  /** A whole signed transaction by its signature. */
  transaction?(signature: string): Promise<Buffer | string>
  /** The block of a number. */
  block?(number: number): Promise<ProvenBlock | string>
}

export interface Bundled {
  readonly id: string
  readonly chain: Chain
  readonly stored: KeptFinding
  readonly claims: readonly Claim[]
}

/** What a reader has to take from us. */
const OUR_WORD = {
  solana: [
    'that the transactions succeeded, and their order: a signature covers what was sent, not what became of it',
    'amounts and coins of events whose list proves does not name them: events are emitted, not signed',
    'the evidence as far as it needs other events than these',
  ],
  alt: [
    'that the block is on the chain: ask any node for its hash',
    'the number of a log within its block, and the hash of a transaction: receipts have neither',
    'fields of events whose list proves does not name them, and the evidence as far as it needs other events than these',
  ],
} as const satisfies Readonly<Record<Chain, readonly string[]>>

/** Events in their order of worth: the first (the launch, or the peak) and the last, which caused it, then the others. */
const byWorth = (claims: readonly Claim[]): readonly number[] => {
  const last = claims.length - 1
  const others = claims.map((_, n) => n).filter((n) => n !== 0 && n !== last)
  return last > 0 ? [last, 0, ...others] : claims.map((_, n) => n)
}

interface Proof {
  readonly of: Readonly<Record<string, Json>>
  readonly proves: readonly string[]
}

/** The text of the file, at most `BUNDLE_BYTES_MAX` bytes: events that find no room are named in `left_out`. */
export const bundleText = async ({ id, chain, stored, claims }: Bundled, bytes: ChainBytes): Promise<string> => {
  const { flag, detector, detectorVersion, at, mintAgeS, evidence, isRetracted } = stored
  const finding = { id, flag, detector, detector_version: detectorVersion, at, mint_age_s: mintAgeS, evidence, is_retracted: isRetracted }
  const head = { form: FORM, chain, finding, our_word: [...OUR_WORD[chain]] }
  const proofs = new Map<number, Proof | string>()
  const textOf = (): string => sealed({ ...head, ...eventsPart(claims, proofs) })
  for (const n of byWorth(claims)) {
    proofs.set(n, await proofOf(claims[n] as Claim, bytes))
    if (textOf().length > BUNDLE_BYTES_MAX) proofs.delete(n)
  }
  return textOf()
}

/** In their order. Proofs that several events share are there once. */
const eventsPart = (claims: readonly Claim[], proofs: ReadonlyMap<number, Proof | string>): Readonly<Record<string, Json>> => {
  const list: Json[] = []
  const places = new Map<string, number>()
  const eventOf = (claim: Claim, proof: Proof | string): Json => {
    if (typeof proof === 'string') return { ...claim, proof: null, proof_reason: proof, proves: [] }
    const { log, ...of } = proof.of
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

const NO_NODE = 'no node of the chain is set, and the transactions of a demo are made up: nobody signed them'

const proofOf = async (claim: Claim, { transaction, block }: ChainBytes): Promise<Proof | string> => {
  if (transaction !== undefined) {
    const bytes = await transaction(claim.signature)
    if (typeof bytes === 'string') return bytes
    const wrong = unsigned(bytes, claim.signature)
    return wrong ?? { of: { transaction: bytes.toString('base64') }, proves: provenBy(bytes, claim) }
  }
  if (block === undefined) return NO_NODE
  const found = await block(Number(/:(\d+)/.exec(claim.position)?.[1]))
  if (typeof found === 'string') return found
  const wrong = unproven(found)
  const log = wrong === undefined ? logOf(claim, found) : undefined
  if (log === undefined) return wrong ?? 'the block has no such log'
  if (!claim.event_id.endsWith(`@${found.header.hash.slice(2, 10)}`)) return 'the node has another block of this number'
  return {
    of: { ...receiptProofOf(found, log.index), nodes: [...receiptProofOf(found, log.index).nodes], log: log.log },
    proves: log.proves,
  }
}
