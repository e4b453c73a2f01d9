// Replaces the addresses, hashes and words of rows by others. Injective: equal values stay equal, and different ones stay different.
import { createHash } from 'node:crypto'
import type { FieldKind } from '../../../processors/detector-kit/fields.ts'
import { type Key, keyText, type Signature, signatureText, toBase58 } from '../../../schemas/keys.ts'
import type { Primitive } from './rows.ts'

const HEX = /^[0-9a-f]+$/
/** Of a link, the scheme and the last two labels of a web host: many links share them. The rest may be unique to one mint. */
const LINK = /^((?:https?|[a-z]+):(?:\/\/)?)(?:(?<=^https?:\/\/)([^/]*?)((?:[^/.]+\.)?[^/.]+)(?=\/|$))?/i
const LETTERS = 26
const DIGITS = 10
/** Cache limit: few addresses occur in many rows. */
const KNOWN_MAX = 10_000
/** Unicode ranges with adjacent letters: Greek and Cyrillic, Kana, Hangul, CJK. */
const BLOCKS: readonly (readonly [from: number, to: number])[] = [
  ...[[0x0370, 0x04ff] as const, [0x3041, 0x30fa] as const, [0x4e00, 0x9fff] as const, [0xac00, 0xd7a3] as const],
]

/** A relabelling, determined by its seed. */
export class Relabelling {
  readonly #seed: number
  /** Letters and digits are rotated by this many places: lengths, cases and substrings are preserved. */
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

/** The forms in which evidence may show a value: unchanged, as text, in lower and upper case. */
export const formsOf = (kind: FieldKind, value: Primitive): readonly string[] => {
  if (typeof value !== 'string' || value === '') return []
  if (kind !== 'address') return [value, value.toLowerCase(), value.toUpperCase()]
  const texts = [keyText(value as Key), signatureText(value as unknown as Signature), toBase58(value as Key)]
  const hex = Buffer.from(value, 'latin1').toString('hex')
  return [value, ...texts, hex, ...texts.map((text) => text.toLowerCase())]
}

/** Shorter parts of an address in evidence are ignored. */
const PART_MIN = 4

/** A form of a value before and after relabelling. */
export interface FormPair {
  readonly was: string
  readonly is: string
}

/**
 * True for texts that are equal, or differ only where `was` quotes part of a value and `is` quotes the same part of the relabelled value:
 * at least 4 characters, at the same distance from the value's start or end.
 */
export const isSameShown = (was: string, is: string, forms: readonly FormPair[]): boolean => {
  let [ours, theirs] = [0, 0]
  while (ours < was.length && theirs < is.length) {
    const part = partAt(was, ours, is, theirs, forms)
    if (part === undefined && was[ours] !== is[theirs]) return false
    ours += part?.was ?? 1
    theirs += part?.is ?? 1
  }
  return ours === was.length && theirs === is.length
}

/** The number of characters in each text, at these positions, that are the same part of a pair; the longest match. */
const partAt = (
  was: string,
  ours: number,
  is: string,
  theirs: number,
  forms: readonly FormPair[],
): { readonly was: number; readonly is: number } | undefined => {
  let best: { readonly was: number; readonly is: number } | undefined
  for (const form of forms) {
    if (was.startsWith(form.was, ours) && is.startsWith(form.is, theirs) && form.was.length > (best?.was ?? 0))
      best = { was: form.was.length, is: form.is.length }
    const start = was.slice(ours, ours + PART_MIN)
    if (start.length < PART_MIN) continue
    for (let from = form.was.indexOf(start); from >= 0; from = form.was.indexOf(start, from + 1)) {
      const length = sharedLength(was.slice(ours), is.slice(theirs), form, from)
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
