// Replaces the addresses, hashes, words and links of rows by others. Injective: equal values stay equal, and different ones stay different.
import { createHash } from 'node:crypto'
import type { FieldKind } from '../../../processors/detector-kit/fields.ts'
import { type Key, keyText, type Signature, signatureText, toBase58 } from '../../../schemas/keys.ts'
import type { Primitive } from './rows.ts'

const HEX = /^[0-9a-f]+$/
/** The start of a link. The scheme and the last two labels of a web host stay: many links share them. The rest may be unique to a mint. */
const LINK = /^((?:https?|[a-z]+):(?:\/\/)?)(?:(?<=^https?:\/\/)([^/]*?)((?:[^/.]+\.)?[^/.]+)(?=\/|$))?/i
const LETTERS = 26
const DIGITS = 10
/** Cache limit. A small cache is enough: only few addresses occur in many rows. */
const KNOWN_MAX = 10_000
/** Unicode ranges with adjacent letters: Greek and Cyrillic, Kana, Hangul, CJK. */
const BLOCKS: readonly (readonly [from: number, to: number])[] = [
  ...[[0x0370, 0x04ff] as const, [0x3041, 0x30fa] as const, [0x4e00, 0x9fff] as const, [0xac00, 0xd7a3] as const],
]

/** A relabelling, determined by its seed. */
export class Relabelling {
  readonly #seed: number
  /** Letters and digits are rotated by this many places: lengths and letter cases stay, and a text that contains another still does. */
  readonly #by: number
  readonly #known = new Map<string, string>()

  constructor(seed: number) {
    this.#seed = seed
    this.#by = 1 + (Math.abs(seed) % (DIGITS - 1))
  }
  /** For `changeRows`. */
  readonly change = (kind: FieldKind, value: Primitive): Primitive => {
    if (typeof value !== 'string' || value === '') return value
    if (kind === 'address') return this.#memo(`a${value}`, () => this.#bytes(value, value.length))
    if (kind === 'hash') return this.#memo(`h${value}`, () => this.#hash(value))
    if (kind === 'words') return this.words(value)
    return kind === 'link' ? this.#link(value) : value
  }
  words(text: string): string {
    return Array.from(text, (letter) => this.#letter(letter)).join('')
  }
  #link(text: string): string {
    const [whole = '', scheme = '', names = '', host = ''] = LINK.exec(text) ?? []
    return scheme + this.words(names) + host + this.words(text.slice(whole.length))
  }
  #letter(letter: string): string {
    const code = letter.codePointAt(0) ?? 0
    const turn = (first: number, count: number): string => String.fromCodePoint(first + ((code - first + this.#by) % count))
    if (letter >= 'a' && letter <= 'z') return turn(97, LETTERS)
    if (letter >= 'A' && letter <= 'Z') return turn(65, LETTERS)
    if (letter >= '0' && letter <= '9') return turn(48, DIGITS)
    const block = BLOCKS.find(([from, to]) => code >= from && code <= to)
    return block === undefined ? letter : turn(block[0], block[1] - block[0] + 1)
  }
  #bytes(text: string, count: number): string {
    const blocks = Array.from({ length: Math.ceil(count / 32) }, (_, n) =>
      createHash('sha256').update(`${this.#seed}:${n}:`).update(text, 'latin1').digest().toString('latin1'),
    )
    return blocks.join('').slice(0, count)
  }
  #hash(text: string): string {
    const bytes = Buffer.from(this.#bytes(text, 32), 'latin1')
    return (HEX.test(text) ? bytes.toString('hex') : toBase58(bytes.toString('latin1') as Key)).slice(0, text.length)
  }
  #memo(name: string, make: () => string): string {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    const made = make()
    this.#known.set(name, made)
    return made
  }
}

/** The forms in which evidence may show a value. Text: unchanged, in lower or upper case. Address: bytes, hex, text, text in lower case. */
export const formsOf = (kind: FieldKind, value: Primitive): readonly string[] => {
  if (typeof value !== 'string' || value === '') return []
  if (kind !== 'address') return [value, value.toLowerCase(), value.toUpperCase()]
  const texts = [keyText(value as Key), signatureText(value as unknown as Signature), toBase58(value as Key)]
  const hex = Buffer.from(value, 'latin1').toString('hex')
  return [value, ...texts, hex, ...texts.map((text) => text.toLowerCase())]
}

/** Minimum length of a part of a value that evidence quotes; a shorter part must be equal before and after. */
const PART_MIN = 4

/** A form of a value before and after relabelling. */
export interface FormPair {
  readonly was: string
  readonly is: string
}

/**
 * True for texts that are equal, or differ only where `was` quotes a value and `is` quotes the same part of the relabelled value: all of
 * it, or at least 4 characters at the same distance from the value's start or end.
 */
export const isSameShown = (was: string, is: string, forms: readonly FormPair[]): boolean => {
  let [wasAt, isAt] = [0, 0]
  while (wasAt < was.length && isAt < is.length) {
    const part = partAt(was, wasAt, is, isAt, forms)
    if (part === undefined && was[wasAt] !== is[isAt]) return false
    wasAt += part?.was ?? 1
    isAt += part?.is ?? 1
  }
  return wasAt === was.length && isAt === is.length
}

/** The longest quotation of the same part of a pair at these two indexes: its length in each text. */
const partAt = (
  was: string,
  wasAt: number,
  is: string,
  isAt: number,
  forms: readonly FormPair[],
): { readonly was: number; readonly is: number } | undefined => {
  let best: { readonly was: number; readonly is: number } | undefined
  for (const form of forms) {
    if (was.startsWith(form.was, wasAt) && is.startsWith(form.is, isAt) && form.was.length > (best?.was ?? 0))
      best = { was: form.was.length, is: form.is.length }
    const start = was.slice(wasAt, wasAt + PART_MIN)
    if (start.length < PART_MIN) continue
    for (let from = form.was.indexOf(start); from >= 0; from = form.was.indexOf(start, from + 1)) {
      const length = sharedLength(was.slice(wasAt), is.slice(isAt), form, from)
      if (length > (best?.was ?? 0)) best = { was: length, is: length }
    }
  }
  return best
}

/** The longest part of a pair, starting at `from`, that both texts start with; 0 for none. */
const sharedLength = (was: string, is: string, form: FormPair, from: number): number => {
  const fromEnd = form.is.length - form.was.length + from
  let length = 0
  while (from + length < form.was.length && was[length] === form.was[from + length] && length < was.length) length++
  for (; length >= PART_MIN; length--)
    if ([from, fromEnd].some((at) => at >= 0 && is.startsWith(form.is.slice(at, at + length)) && at + length <= form.is.length))
      return length
  return 0
}
