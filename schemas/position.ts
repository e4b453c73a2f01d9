// Chain positions: the only order of events, with one text form, and the ids built from them.

import type { Chain } from './types.ts'

/** Represents `~`, which sorts after every number: the tick of a frame, and events derived from balances. */
export const TILDE = 0xffff_ffff
/** Fills the fields of a position that the chain's positions do not have; it is not printed. */
export const NONE = TILDE - 1

/**
 * Where an event happened: slot or block, and up to three numbers in it. On solana: transaction, outer and inner instruction. A tick has tx
 * = outer = inner = TILDE; an event derived from balances has outer = TILDE and inner = its number.
 */
export interface Position {
  readonly chain: Chain
  readonly number: number
  readonly tx: number
  readonly outer: number
  readonly inner: number
}

/** The form of a chain's positions. */
export interface PositionShape {
  readonly chain: Chain
  /** How many numbers its positions have, from `number` on; the remaining fields are NONE. */
  readonly numbers: 2 | 3 | 4
}

declare const brand: unique symbol
/** `solana:332254908.17.3.2`, `solana:332254908.17.~.0`, `alt:27823772.4.11`, tick `solana:332254908.~`. */
export type PositionText = string & { readonly [brand]: 'PositionText' }
/** `position@hash8`: an event. */
export type EventId = string & { readonly [brand]: 'EventId' }
/** `position@hash8:detector:mint`. */
export type FindingId = string & { readonly [brand]: 'FindingId' }
/** `position@hash8:processor:key:n`, and `position@hash8:role:wallet:mint` for a role. */
export type OutputId = string & { readonly [brand]: 'OutputId' }

/** The tick that ends a slot or block. */
export const tickOf = (chain: Chain, number: number): Position => ({ chain, number, tx: TILDE, outer: TILDE, inner: TILDE })
/** True for the tick that ends a frame. */
export const isTick = (position: Position): boolean => position.tx === TILDE

/** A position without its chain, for rows, events and messages of a single chain. */
export type PositionInChain = Omit<Position, 'chain'>

/** Order within one chain and branch: number, tx, outer, inner. */
export const comparePositions = (a: PositionInChain, b: PositionInChain): number => a.number - b.number || compareWithin(a, b)
/** Order within one frame. */
export const compareWithin = (a: Within, b: Within): number => a.tx - b.tx || a.outer - b.outer || a.inner - b.inner
type Within = Omit<PositionInChain, 'number'>

const part = (value: number): string => (value === NONE ? '' : value === TILDE ? '.~' : `.${value}`)

/** The only text form of a position. */
export const formatPosition = ({ chain, number, tx, outer, inner }: Position): PositionText =>
  `${chain}:${number}${tx === TILDE ? '.~' : part(tx) + part(outer) + part(inner)}` as PositionText

const TEXT = /^([a-z]+):(\d{1,15})\.(~|\d{1,9}(?:\.(?:~|\d{1,9})(?:\.\d{1,9})?)?)$/

/** The slot or block in the text of a position of any chain; undefined for anything else. */
export const numberIn = (text: string): number | undefined => {
  const number = TEXT.exec(text)?.[2]
  return number === undefined ? undefined : Number(number)
}

/** Parses the text form; undefined for anything else. parse(format(p)) equals p. */
export const parsePosition = (text: string, { chain, numbers }: PositionShape): Position | undefined => {
  const [, name, number, rest = ''] = TEXT.exec(text) ?? []
  const parts = rest.split('.')
  if (name !== chain || (rest !== '~' && parts.length !== numbers - 1)) return undefined
  const [tx = NONE, outer = NONE, inner = NONE] = parts.map((one) => (one === '~' ? TILDE : Number(one)))
  const at = rest === '~' ? tickOf(chain, Number(number)) : { chain, number: Number(number), tx, outer, inner }
  return formatPosition(at) === text ? at : undefined
}

/** First 8 characters of a block hash: ids on an orphaned branch differ from those on the canonical one. */
export const hash8Of = (hash: string): string => hash.slice(0, 8)

/** Id of the event at a position of a branch. */
export const eventId = (at: Position, hash8: string): EventId => `${formatPosition(at)}@${hash8}` as EventId
/** Id of a finding; `mint` as text. */
export const findingId = (at: Position, hash8: string, detector: string, mint: string): FindingId =>
  `${formatPosition(at)}@${hash8}:${detector}:${mint}` as FindingId
const FINDING = /^([^@]{1,60})@([0-9A-Za-z]{1,8}):([a-z][a-z0-9_-]{0,39}):([^:]{32,44})$/

/** The parts of a finding's id, `mint` as text. */
export interface FindingParts {
  readonly id: FindingId
  readonly at: Position
  readonly detector: string
  readonly mint: string
}

/** The parts of a finding's id; undefined for anything else. */
export const parseFindingId = (text: string, shape: PositionShape): FindingParts | undefined => {
  const [, position = '', hash8 = '', detector = '', mint = ''] = FINDING.exec(text) ?? []
  const at = parsePosition(position, shape)
  return at && { id: findingId(at, hash8, detector, mint), at, detector, mint }
}
/** Id of a wallet's role at a launch; both as text. */
export const roleId = (at: Position, hash8: string, role: string, wallet: string, mint: string): OutputId =>
  `${formatPosition(at)}@${hash8}:${role}:${wallet}:${mint}` as OutputId
/** Id of any other output; `key` as text. */
export const outputId = (at: Position, hash8: string, processor: string, key: string, n: number): OutputId =>
  `${formatPosition(at)}@${hash8}:${processor}:${key}:${n}` as OutputId
