// The Merkle root of an hour and its independent verifier: any value of any set verifies, and any changed value fails.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { dataOf } from '../../query-api/answers/odds/proof.ts'
import { readHour, type ValueRow } from '../../topology/history/odds/hour.ts'
import { leafOf, lineOf, proofOf, rootOf } from '../../topology/history/odds/tree.ts'
import { HOUR_S, type LoggedValue, type OddsProof } from '../../topology/ports/odds-history.ts'
import { oddsValue } from '../fakes/set-odds-history.ts'
import { verified, verifiedData } from '../tools/verify-odds.ts'
import { base58 } from '../unit/query-api/given-mint.ts'

const HOUR = 1_790_000_000 - (1_790_000_000 % HOUR_S)

const values = fc.uniqueArray(fc.nat(100_000), { minLength: 1, maxLength: 700 }).map((numbers) =>
  numbers.map((n): LoggedValue => {
    const value = oddsValue({ mint: base58(n % 250), ppm: (n * 7_919) % 1_000_001, isShadow: n % 5 === 0, at: HOUR + (n % HOUR_S) })
    return { ...value, id: value.id.replace('1000', String(n)) }
  }),
)

const rowOf = (value: LoggedValue): ValueRow => ({
  ...{ id: value.id, mint: value.mint, head: value.head, age_s: value.ageS, t0_s: value.t0, ppm: value.ppm, model: value.model },
  ...{ inputs_hash: value.inputsHash, at_s: value.at, is_shadow: value.isShadow, is_deleted: 0 },
})
const byId = (a: { readonly id: string }, b: { readonly id: string }): number => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))

/** The hour as read from a history that returns these values in the order of their ids. */
const hourWith = (logged: readonly LoggedValue[]) => {
  const rows = logged.map(rowOf).sort(byId)
  const client = {
    database: 'any',
    rows: async (_sql: string, params = {}) => rows.filter(({ id }) => id > (params as { after: string }).after),
  }
  return readHour(client as Parameters<typeof readHour>[0], HOUR)
}
/** Proofs of the chosen values. */
const proofsOf = async (logged: readonly LoggedValue[], chosen: readonly LoggedValue[]): Promise<readonly OddsProof[]> => {
  const { groups, root, n } = await hourWith(logged)
  const tops = groups.map(({ top }) => top)
  return chosen.map((value) => {
    const line = lineOf(value)
    const leaf = leafOf(line)
    const group = groups.findIndex(({ leaves }) => leaves.includes(leaf))
    const proof = proofOf(groups[group]?.leaves ?? [], groups[group]?.leaves.indexOf(leaf) ?? -1, tops, group)
    return { value, isRetracted: false, line, leaf, state: 'proven', root: { hour: HOUR, n, root }, madeAt: HOUR + 2 * HOUR_S, proof }
  })
}

describe('the root of an hour', () => {
  test('proves each value of any set', async () => {
    const all: OddsProof[] = []
    await fc.assert(
      fc.asyncProperty(values, async (logged) => {
        const proofs = await proofsOf(logged, logged.slice(-20))
        expect(new Set(proofs.map((proof) => proof.state === 'proven' && proof.root.root)).size).toBe(1)
        all.push(...proofs)
      }),
      { numRuns: 15 },
    )
    const { code, lines } = verified(all)
    expect([code, lines.length, lines.filter((line) => !line.startsWith('ok '))]).toEqual([0, all.length, []])
  })

  test('differs if a value is added, removed or changed, and does not depend on the order', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.nat(), async (logged, at) => {
        const { root } = await hourWith(logged)
        const value = logged[at % logged.length] as LoggedValue
        const others = logged.filter((one) => one !== value)
        const changed = { ...value, ppm: value.ppm === 0 ? 1 : value.ppm - 1 }
        expect((await hourWith(logged.toReversed())).root).toBe(root)
        for (const other of [others, [...others, changed], [...logged, { ...value, id: `${value.id}0` }]])
          expect((await hourWith(other)).root).not.toBe(root)
      }),
      { numRuns: 8 },
    )
  })

  test('exists for an hour without values, and differs from hour to hour', async () => {
    const { root, n } = await hourWith([])
    expect([n, root]).toEqual([0, rootOf(HOUR, 0, [])])
    expect(rootOf(HOUR + HOUR_S, 0, [])).not.toBe(root)
  })
})

/** Every text with one character changed, every number plus and minus one, the inverse boolean, a list with one item less and one more. */
const changesOf = (value: unknown): readonly unknown[] => {
  if (typeof value === 'string') return [...value].map((sign, at) => value.slice(0, at) + (sign === '0' ? '1' : '0') + value.slice(at + 1))
  if (typeof value === 'number') return [value + 1, value - 1, String(value)]
  if (typeof value === 'boolean') return [!value]
  const list = value as readonly unknown[]
  const within = list.flatMap((item, at) => changesOf(item).map((changed) => list.with(at, changed)))
  return [...within, list.slice(1), list.slice(0, -1), [...list, list[0]], list.toReversed()]
}

describe('the verifier', () => {
  /** Fields that no hash covers: texts, and values that are known only later. */
  const UNPROVEN = ['state', 'closes_at', 'made_at', 'how_to_verify', 'delayed_s']

  test('fails if one byte of any field or of the proof changes', async () => {
    const logged = Array.from({ length: 600 }, (_, n) => oddsValue({ id: oddsValue().id.replace('1000', String(n)), at: HOUR + n }))
    const [proof] = await proofsOf(logged, logged.slice(-1))
    const data = { ...dataOf(proof as OddsProof, Number.MAX_SAFE_INTEGER) }
    expect(verifiedData([data]).code).toBe(0)
    const outside = Object.entries(data).filter(([name]) => name !== 'value' && !UNPROVEN.includes(name))
    const inside = Object.entries(data.value ?? {}).filter(([name]) => name !== 'is_retracted')
    const changed = [
      ...outside.flatMap(([name, value]) => changesOf(value).map((other) => ({ ...data, [name]: other }))),
      ...inside.flatMap(([name, value]) => changesOf(value).map((other) => ({ ...data, value: { ...data.value, [name]: other } }))),
    ]
    const { code, lines } = verifiedData(changed)
    expect(changed.length).toBeGreaterThan(1_200)
    expect([code, lines.length, lines.filter((line) => !line.startsWith('failed '))]).toEqual([1, changed.length, []])
  })

  test('fails values without a proof and input that is not a value', () => {
    const value = { value: { ...oddsValue(), isRetracted: false } }
    const { code, lines } = verifiedData([{ state: 'open', ...value }, {}, 7, null, { state: 'proven' }])
    expect([code, lines.filter((line) => line.startsWith('failed ')).length]).toEqual([1, 5])
  })

  test('imports no module of this project', () => {
    const text = readFileSync(new URL('../../query-api/guides/verify_odds.mjs', import.meta.url), 'utf8')
    expect([...text.matchAll(/from '([^']+)'|import\(|require\(/g)].map(([, from]) => from)).toEqual(['node:crypto', 'node:fs'])
  })
})
