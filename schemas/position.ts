// Chain positions: the only order there is, with one text form, and the ids made of them.

/** A chain whose frames we fold. */
export type Chain = 'solana' | 'alt'

/** Stands for `~`, which sorts after every number: the tick of a frame, and events derived from balances. */
export const TILDE = 0xffff_ffff

/**
 * Where something happened. solana: slot, transaction, outer, inner instruction. alt: block, transaction, log (in `outer`), 0.
 * A tick has tx = outer = inner = TILDE; an event derived from balances has outer = TILDE and inner = its number.
 */
export interface Position {
  readonly chain: Chain
  readonly number: number
  readonly tx: number
  readonly outer: number
  readonly inner: number
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

/** A position whose chain goes without saying, as rows, events and facts of one chain have it. */
export type Place = Omit<Position, 'chain'>

/** Order within one chain and branch: number, tx, outer, inner. */
export const comparePositions = (a: Place, b: Place): number => a.number - b.number || a.tx - b.tx || a.outer - b.outer || a.inner - b.inner

const part = (value: number): string => (value === TILDE ? '~' : String(value))

/** The one text form of a position. */
export const formatPosition = ({ chain, number, tx, outer, inner }: Position): PositionText => {
  if (tx === TILDE) return `${chain}:${number}.~` as PositionText
  const tail = chain === 'alt' ? part(outer) : `${part(outer)}.${part(inner)}`
  return `${chain}:${number}.${part(tx)}.${tail}` as PositionText
}

const TEXT = /^(solana|alt):(\d{1,15})\.(?:(~)|(\d{1,9})\.(~|\d{1,9})(?:\.(\d{1,9}))?)$/

/** Parses the text form; undefined for anything else. parse(format(p)) equals p. */
export const parsePosition = (text: string): Position | undefined => {
  const match = TEXT.exec(text)
  if (!match) return undefined
  const [, chain, number, tick, tx, outer, inner] = match
  if (!tick && (chain === 'solana') !== (inner !== undefined)) return undefined
  const at = tick ? tickOf(chain as Chain, Number(number)) : placeOf(chain as Chain, [number, tx, outer, inner ?? '0'])
  return formatPosition(at) === text ? at : undefined
}

const placeOf = (chain: Chain, parts: readonly (string | undefined)[]): Position => {
  const [number = 0, tx = 0, outer = 0, inner = 0] = parts.map((text) => (text === '~' ? TILDE : Number(text)))
  return { chain, number, tx, outer, inner }
}

/** First 8 characters of a block hash: keeps the ids of a dead branch apart from the living one's. */
export const hash8Of = (hash: string): string => hash.slice(0, 8)

/** Id of the event at a position of a branch. */
export const eventId = (at: Position, hash8: string): EventId => `${formatPosition(at)}@${hash8}` as EventId
/** Id of a finding; `mint` in base58. */
export const findingId = (at: Position, hash8: string, detector: string, mint: string): FindingId =>
  `${formatPosition(at)}@${hash8}:${detector}:${mint}` as FindingId
const FINDING = /^([^@]{1,60})@([0-9A-Za-z]{1,8}):([a-z][a-z0-9_-]{0,39}):([^:]{32,44})$/

/** The parts of a finding's id, `mint` as its text; undefined for anything else. */
export const parseFindingId = (
  text: string,
): { readonly id: FindingId; readonly at: Position; readonly detector: string; readonly mint: string } | undefined => {
  const [, position = '', hash8 = '', detector = '', mint = ''] = FINDING.exec(text) ?? []
  const at = parsePosition(position)
  return at && { id: findingId(at, hash8, detector, mint), at, detector, mint }
}
/** Id of a wallet's role at a launch; both in base58. */
export const roleId = (at: Position, hash8: string, role: string, wallet: string, mint: string): OutputId =>
  `${formatPosition(at)}@${hash8}:${role}:${wallet}:${mint}` as OutputId
/** Id of any other output; `key` in base58. */
export const outputId = (at: Position, hash8: string, processor: string, key: string, n: number): OutputId =>
  `${formatPosition(at)}@${hash8}:${processor}:${key}:${n}` as OutputId
