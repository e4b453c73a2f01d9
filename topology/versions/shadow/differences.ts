// The differences between what a shadow and the running version report: counts of each kind, and the first examples.
import { type Key, keyText } from '../../../schemas/keys.ts'

/** `changed`: both report it, with other contents; `added`: only the shadow does; `removed`: only the running version does. */
export type Change = 'changed' | 'added' | 'removed'

export const changeOf = (running: object | undefined, shadow: object | undefined): Change => {
  if (running === undefined) return 'added'
  return shadow === undefined ? 'removed' : 'changed'
}

/** Counts of one kind of conclusion, or of the rows of one processor. */
export interface KindCounts {
  same: number
  changed: number
  added: number
  removed: number
  /** Rows that changed while they were compared. They are in no other count. */
  moving: number
}

/** One difference. A field that only one side has is null on the other. */
export interface Example {
  readonly kind: string
  readonly change: Change
  /** Id of the conclusion, or key of the rows, as text. */
  readonly id: string
  /** Up to 20 fields that differ, by path. */
  readonly fields: Readonly<Record<string, { readonly running: unknown; readonly shadow: unknown }>>
}

/** Fields of the differences of a kind, by path. */
type FieldCounts = Map<string, number>

export class Differences {
  readonly #examplesMax: number
  readonly #counts = new Map<string, KindCounts>()
  readonly #examples = new Map<string, Example[]>()
  readonly #fields = new Map<string, FieldCounts>()

  /** `examplesMax`: of each kind. */
  constructor(examplesMax: number) {
    this.#examplesMax = examplesMax
  }
  same(kind: string): void {
    this.#of(kind).same++
  }
  moving(kind: string): void {
    this.#of(kind).moving++
  }
  differs(example: Example): void {
    const { kind, change, fields } = example
    this.#of(kind)[change]++
    const examples = this.#examples.get(kind) ?? []
    if (examples.length < this.#examplesMax) this.#examples.set(kind, [...examples, example])
    if (change !== 'changed') return
    const counts = this.#fields.get(kind) ?? new Map<string, number>()
    for (const path of new Set(Object.keys(fields).map(withoutIds))) counts.set(path, (counts.get(path) ?? 0) + 1)
    this.#fields.set(kind, counts)
  }
  /** Kinds in alphabetical order. */
  get kinds(): readonly (readonly [string, Readonly<KindCounts>])[] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))
  }
  /** How often each field of a kind has changed, most often first. */
  fieldsOf(kind: string): readonly (readonly [string, number])[] {
    return [...(this.#fields.get(kind) ?? [])].sort(([, a], [, b]) => b - a)
  }
  examplesOf(kind: string): readonly Example[] {
    return this.#examples.get(kind) ?? []
  }
  /** Number of differences of all kinds. */
  get count(): number {
    return this.kinds.reduce((sum, [, { changed, added, removed }]) => sum + changed + added + removed, 0)
  }
  #of(kind: string): KindCounts {
    const counts = this.#counts.get(kind) ?? { same: 0, changed: 0, added: 0, removed: 0, moving: 0 }
    this.#counts.set(kind, counts)
    return counts
  }
}

/** The path of a field of all rows of a kind. */
const withoutIds = (path: string): string => path.replace(/\[.*?\]/, '[]')

const FIELDS_MAX = 20
const KEY_LENGTHS: ReadonlySet<number> = new Set([20, 32])
/** A value of a row or conclusion for JSON: keys, which are bytes in strings, and amounts beyond JSON numbers become text. */
export const shown = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)]))
  const isKey = typeof value === 'string' && KEY_LENGTHS.has(value.length) && /^[\0-\xff]*[^\x20-\x7e][\0-\xff]*$/.test(value)
  return isKey ? keyText(value as Key) : (value ?? null)
}

/** The fields, by path, in which two flat records differ. */
export const fieldsThatDiffer = (running: Flat, shadow: Flat): Example['fields'] => {
  const paths = new Set([...running.keys(), ...shadow.keys()])
  const differing = [...paths].filter((path) => textOf(running.get(path)) !== textOf(shadow.get(path)))
  return Object.fromEntries(
    differing.slice(0, FIELDS_MAX).map((path) => [path, { running: shown(running.get(path)), shadow: shown(shadow.get(path)) }]),
  )
}
/** Values by path. */
export type Flat = ReadonlyMap<string, unknown>

const textOf = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
