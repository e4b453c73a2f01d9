// The realm of a detector: which operations it refuses, which pure code may use, and isolation of instances.
import { UsageError } from '../../../schemas/errors.ts'
import { fileOf, ROWS } from './given-file.ts'

const answerOf = async (find: string, before = ''): Promise<unknown> => (await fileOf(find, before)).make().find(ROWS)
const failureOf = async (find: string, before = ''): Promise<string> => {
  const failure = await answerOf(find, before).catch((thrown: unknown) => thrown)
  expect(failure).toBeInstanceOf(UsageError)
  return (failure as Error).message
}
const USES = [
  ...['Date.now()', 'new Date()', 'Date()', 'Date.parse("2020")', 'new Date("2020")', 'new Date(2020, 1)', 'new Date(5).getHours()'],
  ...['new Date(5).getTimezoneOffset()', 'String(new Date(5))', 'new Date(5).toLocaleString()', 'Math.random()', 'performance.now()'],
  ...['new Intl.NumberFormat()', '(5).toLocaleString()', '"a".localeCompare("b")', '"i".toLocaleUpperCase()', 'process.env.HOME'],
  ...['require', 'fetch', 'setTimeout(() => 0, 1)', 'queueMicrotask(() => 0)', 'structuredClone({})', 'console.log(1)', 'Buffer.from("")'],
  ...['Promise.resolve(1)', '(async () => 1)()', '(async function* () { yield 1 })().next()', 'new WeakRef({})'],
  ...[
    'new FinalizationRegistry(() => 0)',
    'new SharedArrayBuffer(1)',
    'WebAssembly',
    'Atomics',
    'globalThis.process',
    'globalThis.Date.now()',
  ],
  ...['Function("return 1")()', '(0, eval)("1")', '(() => 0).constructor("return process")()', '(function* () {}).constructor("")'],
  ...['Reflect.construct(Date, [])', 'new (class extends Date {})()'],
]
const WRITES: readonly (readonly [string, RegExp])[] = [
  ['curve.buys = 1', /writes to its input: curve\.buys/],
  ['curve.buys++', /writes to its input: curve\.buys/],
  ['rows.launch = curve', /writes to its input: launch/],
  ['Reflect.set(position, "number", 1)', /writes to its input: position\.number/],
  ['try { launch.name = "" } catch {}', /writes to its input: launch\.name/],
  ['curve.mine = 1', /read-only: a detector/],
  ['delete curve.buys', /read-only: a detector/],
  ['Object.defineProperty(curve, "buys", { value: 1 })', /read-only: a detector/],
  ['Object.setPrototypeOf(curve, null)', /not extensible/],
  ['settings.n = 1', /read-only: a detector/],
  ['globalThis.mine = 1', /read-only: a detector/],
  ['mine = 1', /mine is not defined/],
  ['Math = 1', /read-only: a detector/],
  ['Array.prototype.mine = 1', /read-only: a detector/],
  ['Object.prototype.toString = () => ""', /read-only: a detector/],
  ['Map.prototype.get = 1', /read-only: a detector/],
]
const PURE: readonly (readonly [string, string | number])[] = [
  ['new Date(86_400_000).toISOString()', '1970-01-02T00:00:00.000Z'],
  ['new Date(Date.UTC(2026, 1, 3)).getUTCDay()', 2],
  ['[3, 1, 2].sort().join()', '1,2,3'],
  ['[..."añb"].reverse().join("")', 'bña'],
  ['String(2n ** 70n)', '1180591620717411303424'],
  ['JSON.stringify({ ...position, tx: 1 })', '{"chain":"solana","number":443000007,"tx":1,"outer":0,"inner":1}'],
  ['Object.keys(curve).filter((name) => /Quote/.test(name)).length', 5],
  ['"completeAt" in curve ? 1 : 0', 1],
  ['(() => { const o = {}; o.toString = () => "own"; return String(o) })()', 'own'],
  ['(() => { try { null.x } catch (error) { return error.name + (error instanceof TypeError) } })()', 'TypeErrortrue'],
  ['(() => { class Own extends Error { constructor() { super("m"); this.name = "Own" } }; return String(new Own()) })()', 'Own: m'],
  ['new Error("where").stack', 'Error: where'],
  ['(function () { return String(this) })()', 'undefined'],
  ['/(b)/.test("abc") ? String([RegExp.$1, RegExp.lastMatch].join()) : ""', ','],
  ['new Uint8Array([1, 2, 300])[2]', 44],
  ['/(?<a>b)c/.exec("abc").groups.a', 'b'],
  ['[...new Map([[1, 2]]).values()][0]', 2],
  ['[..."ab".matchAll(/./g)].length', 2],
]

// One bundle for all cases, since a bundle per file is slow; a `declare` replaces the types.
const FIND = (body: string): string => `((rows, settings) => { const { launch, curve, pool, position } = rows; ${body} }) as never`
const UNTYPED = 'declare const process: never, fetch: never, performance: never, structuredClone: never, Buffer: never, console: never'

describe('the realm of a detector', () => {
  test.each(USES)('refuses %s', async (use) => {
    expect(await failureOf(FIND(`return { n: String(${use}) }`), UNTYPED)).toMatch(/ is refused: a detector is a pure function of rows/)
  })
  test.each(USES.slice(0, 3))('refuses %s even if its error is caught', async (use) => {
    expect(await failureOf(FIND(`try { ${use} } catch {} return undefined`))).toMatch(/ is refused: /)
  })
  test.each(WRITES)('refuses the write %s', async (write, message) => {
    expect(await failureOf(FIND(`${write}; return undefined`), 'declare let mine: never')).toMatch(message)
  })
  test.each(PURE)('allows %s', async (use, value) => {
    expect(await answerOf(FIND(`return { value: ${use} }`))).toEqual({ value })
  })

  test('names the detector, the position, the file and the line of a refused operation or a thrown error', async () => {
    const thrown = await failureOf(
      '({ pool }) => {\n  const deep = () => ({ n: (pool as never as { quoteUnits: number }).quoteUnits })\n  return deep()\n}',
    )
    expect(thrown).toMatch(
      /^detector mine at solana:443000007\.0\.0\.1: throws Cannot read properties of undefined \(reading 'quoteUnits'\) \(\/.*mine\.ts:4:/,
    )
    expect(await failureOf('() => {\n  return { n: Math.random() }\n}')).toMatch(/Math\.random is refused: .* \(\/.*mine\.ts:4:20\)$/)
  })

  test.each([
    ['null', 'null', /find returns null: return an object of evidence, or undefined/],
    ['a boolean', 'true', /find returns a boolean/],
    ['an array', '[1]', /other than a plain object/],
    ['a map', 'new Map()', /other than a plain object/],
    ['a proxy', 'new Proxy({}, {})', /other than a plain object/],
    ['a promise of an async function', '(async () => ({}))()', /Promise is refused/],
    ['a getter', '{ get n() { return 1 } }', /evidence n is a getter, whose value may change/],
    ['a number that is not finite', '{ n: 0 / 0 }', /evidence n is NaN: JSON has finite numbers only/],
    ['a bigint', '{ n: 5n }', /evidence n is a bigint: convert it to a number/],
    ['a nested object', '{ n: {} }', /evidence n is a object/],
    ['a long text', '{ n: "x".repeat(1001) }', /a string of more than 1000 characters/],
    ['a symbol as a name', '{ [Symbol.iterator]: 1 }', /evidence has a field Symbol/],
    ['many fields', 'Object.fromEntries(Array.from({ length: 33 }, (_, n) => ["n" + n, n]))', /evidence has 33 fields, at most 32/],
  ])('refuses %s as evidence', async (_title, answer, message) => {
    expect(await failureOf(FIND(`return ${answer}`))).toMatch(message)
  })

  test('reads rows as they are at each call, without a copy', async () => {
    const { find } = (
      await fileOf('({ curve, pool, launch }) => ({ buys: curve.buys, pool: pool?.trades ?? null, name: launch.name })')
    ).make()
    const curve = { ...ROWS.curve, buys: 1 }
    expect(find({ ...ROWS, curve })).toEqual({ buys: 1, pool: null, name: 'Coin 0 of a' })
    curve.buys = 2
    const pool = { trades: 9 } as NonNullable<typeof ROWS.pool>
    expect(find({ ...ROWS, curve, pool })).toEqual({ buys: 2, pool: 9, name: 'Coin 0 of a' })
  })

  test('gives each instance its own memory', async () => {
    const file = await fileOf('() => { calls.n += 1; return { calls: calls.n } }', 'const calls = { n: 0 }')
    const [one, other] = [file.make(), file.make()]
    expect([one.find(ROWS), one.find(ROWS), other.find(ROWS)]).toEqual([{ calls: 1 }, { calls: 2 }, { calls: 1 }])
  })
})
