import fc from 'fast-check'
import { CURSOR_CHARS_MAX, CURSOR_S } from '../../../query-api/answer-schemas/check.ts'
import { Cursors } from '../../../query-api/answers/checks/cursors.ts'
import { CURSOR_KEYS_MAX } from '../../../query-api/answers/seal.ts'
import type { Key } from '../../../schemas/keys.ts'
import { keyOf } from '../../../schemas/keys.ts'

const NOW_S = 1_763_000_000
const BITS = 511
const OLD = Buffer.alloc(32, 1)
const NEW = Buffer.alloc(32, 2)

const aKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(keyOf)
const known = fc.uniqueArray(fc.tuple(aKey, fc.integer({ min: 0, max: BITS })), { minLength: 1, maxLength: 5, selector: ([mint]) => mint })
const mintsOf = (all: readonly (readonly [Key, number])[]): Key[] => all.map(([mint]) => mint)
const bitsOf = (all: readonly (readonly [Key, number])[]): number[] => all.map(([, bits]) => bits)
const cursors = new Cursors([NEW])

test('a cursor holds its content, whatever the order of the requested mints', () => {
  const shuffled = known.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
  fc.assert(
    fc.property(shuffled, fc.integer({ min: 0, max: CURSOR_S }), ([all, other], ageS) => {
      const text = cursors.issue(mintsOf(all), bitsOf(all), NOW_S)
      expect(cursors.read(text, mintsOf(other), NOW_S + ageS)).toEqual({ ok: true, seen: bitsOf(other), ageS })
    }),
  )
})

test('a cursor is the same for any order of its mints', () => {
  fc.assert(
    fc.property(known, (all) => {
      const turned = [...all].reverse()
      expect(cursors.issue(mintsOf(turned), bitsOf(turned), NOW_S)).toBe(cursors.issue(mintsOf(all), bitsOf(all), NOW_S))
    }),
  )
})

test('a cursor is short, and needs no escaping in a query', () => {
  fc.assert(
    fc.property(known, (all) => {
      const text = cursors.issue(mintsOf(all), bitsOf(all), NOW_S)
      expect(text).toMatch(/^[A-Za-z0-9_-]{50,80}$/)
      expect(text.length).toBeLessThanOrEqual(CURSOR_CHARS_MAX)
    }),
  )
})

test('a cursor is foreign to another set of mints: one more, one less, one replaced', () => {
  fc.assert(
    fc.property(known, aKey, (all, stranger) => {
      const mints = mintsOf(all)
      fc.pre(!mints.includes(stranger))
      const text = cursors.issue(mints, bitsOf(all), NOW_S)
      const others = [[...mints, stranger], mints.slice(1), [stranger, ...mints.slice(1)]].filter(({ length }) => length > 0)
      for (const other of others) expect(cursors.read(text, other, NOW_S)).toEqual({ ok: false, reason: 'foreign' })
    }),
  )
})

test('no byte can be changed, and no other text of the same bytes is accepted', () => {
  const mints = [keyOf(new Uint8Array(32).fill(1)), keyOf(new Uint8Array(32).fill(2))]
  const text = cursors.issue(mints, [3, 64], NOW_S)
  const bytes = Buffer.from(text, 'base64url')
  for (let at = 0; at < bytes.length; at += 1)
    for (const change of [1, 0x80, 0xff]) {
      const forged = Buffer.from(bytes)
      forged[at] = (forged[at] as number) ^ change
      expect(cursors.read(forged.toString('base64url'), mints, NOW_S)).toEqual({ ok: false, reason: 'foreign' })
    }
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .%'
  for (let at = 0; at < text.length; at += 1)
    for (const letter of letters) {
      if (letter === text[at]) continue
      expect(cursors.read(text.slice(0, at) + letter + text.slice(at + 1), mints, NOW_S)).toEqual({ ok: false, reason: 'foreign' })
    }
  for (const other of ['', 'null', text.slice(1), text.slice(0, -1), `${text}A`, `${text}=`, ` ${text}`, text.repeat(12)])
    expect(cursors.read(other, mints, NOW_S)).toEqual({ ok: false, reason: 'foreign' })
})

test('any other text is foreign, and none throws', () => {
  fc.assert(
    fc.property(fc.string(), known, (text, all) => {
      expect(cursors.read(text, mintsOf(all), NOW_S)).toEqual({ ok: false, reason: 'foreign' })
    }),
  )
})

test('a cursor expires a day after its issue, by the clock of its issuer', () => {
  fc.assert(
    fc.property(known, fc.integer({ min: 1, max: 10 * CURSOR_S }), (all, lateS) => {
      const text = cursors.issue(mintsOf(all), bitsOf(all), NOW_S)
      expect(cursors.read(text, mintsOf(all), NOW_S + CURSOR_S).ok).toBe(true)
      expect(cursors.read(text, mintsOf(all), NOW_S + CURSOR_S + lateS)).toEqual({ ok: false, reason: 'expired' })
    }),
  )
})

test('a forged cursor is foreign, whatever its age', () => {
  const mints = [keyOf(new Uint8Array(32).fill(1))]
  const text = new Cursors([OLD]).issue(mints, [1], NOW_S - 2 * CURSOR_S)
  expect(cursors.read(text, mints, NOW_S)).toEqual({ ok: false, reason: 'foreign' })
})

describe('keys', () => {
  const mints = [keyOf(new Uint8Array(32).fill(1))]
  const old = new Cursors([OLD])
  const both = new Cursors([NEW, OLD])
  test('rotate: the newest signs, older ones are accepted until they are removed', () => {
    expect(both.read(old.issue(mints, [5], NOW_S), mints, NOW_S)).toEqual({ ok: true, seen: [5], ageS: 0 })
    expect(both.issue(mints, [5], NOW_S)).toBe(cursors.issue(mints, [5], NOW_S))
    expect(cursors.read(old.issue(mints, [5], NOW_S), mints, NOW_S).ok).toBe(false)
    expect(old.read(both.issue(mints, [5], NOW_S), mints, NOW_S).ok).toBe(false)
  })
  test('survive a restart: another instance with the same keys reads the cursor', () => {
    expect(new Cursors([NEW]).read(both.issue(mints, [5], NOW_S), mints, NOW_S)).toEqual({ ok: true, seen: [5], ageS: 0 })
  })
  test('are 1 to 8', () => {
    expect(() => new Cursors([])).toThrow('1 to 8 keys')
    expect(() => new Cursors(Array.from({ length: CURSOR_KEYS_MAX + 1 }, () => NEW))).toThrow('1 to 8 keys')
  })
})
