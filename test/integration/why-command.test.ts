// `mintfold why` for a user: what changed each field of a card, and why no event changes some of them.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Key, keyText } from '../../schemas/keys.ts'
import type { BatchOf, ChainEvent } from '../../schemas/record-forms.ts'
import type { RawFrame } from '../../schemas/types.ts'
import { cardFieldOf } from '../../topology/cli/commands/explain/card-fields.ts'
import { keyOf, type SubjectChain } from '../../topology/cli/commands/explain/subject-chains.ts'
import { register as registerWhy } from '../../topology/cli/commands/explain/why.ts'
import { replayOf } from '../../topology/cli/commands/recordings/replay-file.ts'
import { FieldMoves, type MomentNow } from '../../topology/operations/explain/field-moves.ts'
import { pathsIn, valueAt } from '../../topology/operations/explain/field-path.ts'
import { rowsIn, type Witness } from '../../topology/operations/explain/witness.ts'
import { readRecording } from '../../topology/sources/recording/recording-file.ts'
import { writeTape } from '../../topology/sources/recording/tape-file.ts'
import { type Ran, runCommand } from '../fakes/run-command.ts'
import { demoCurveBodies } from '../fixtures/demo-curves.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import { labels } from '../shipped.ts'
import { removeDirectory } from '../tools/remove-directory.ts'

type Batch = BatchOf<ChainEvent>
interface Market {
  readonly chain: SubjectChain
  readonly tape: readonly Batch[]
  readonly keys: readonly Key[]
}
const RECORDINGS = join(__dirname, '../recordings')
const LIMIT = 1_000

const decoded = (chain: 'solana' | 'alt', frames: readonly RawFrame[]): Batch[] => {
  const folds = replayOf(chain).folds()
  return frames.flatMap((frame) => folds.decode(frame) ?? [])
}
/** Coins launched on the tape, those with the most events first, except the busiest. */
const marketOf = (tape: readonly Batch[], count: number, eventsMax = 60): Market => {
  const counts = new Map<Key, number>()
  const launched = new Set<Key>()
  for (const { events } of tape)
    for (const event of events as readonly (ChainEvent & { readonly mint?: Key })[]) {
      if (event.mint === undefined) continue
      counts.set(event.mint, (counts.get(event.mint) ?? 0) + 1)
      if (event.type === 'launch') launched.add(event.mint)
    }
  const busy = [...counts].filter(([key, n]) => launched.has(key) && n <= eventsMax).sort((a, b) => b[1] - a[1])
  const keys = busy.slice(0, count).map(([key]) => key)
  return { chain: keyOf(keyText(keys[0] as Key)).chain, tape, keys }
}

let markets: Readonly<Record<'mints' | 'recorded' | 'curves', Market>>
let dir = ''
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-why-'))
  const recorded: RawFrame[] = []
  for (const name of ['launches', 'transactions'])
    for await (const frame of readRecording(join(RECORDINGS, `${name}.avro`))) recorded.push(frame)
  const curves = (await demoCurveBodies({ seed: 1, rate: 10, blocks: 700 })).filter((body): body is RawFrame => body.type === 'frame')
  markets = {
    mints: marketOf([...demoSlots({ seed: 6, rate: 2, seconds: 60 })].map(batchOf), 1, 40),
    recorded: marketOf(decoded('solana', recorded), 2, Number.POSITIVE_INFINITY),
    curves: marketOf(decoded('alt', curves), 1, 40),
  }
})
afterAll(() => removeDirectory(dir))

const all = (witnesses: readonly Witness<ChainEvent>[]): Witness<ChainEvent> => ({
  before: (call) => {
    for (const one of witnesses) one.before(call)
  },
  after: (call) => {
    for (const one of witnesses) one.after(call)
  },
})

/** Changes of fields of some coins: from all events of the tape, or from those of the coins alone. */
const movesOf = ({ chain, tape, keys }: Market, fields: readonly string[], isWhole: boolean): Map<string, FieldMoves> => {
  const moved = new Map<string, FieldMoves>()
  for (const key of keys)
    for (const field of fields) {
      const { path } = cardFieldOf(field, chain.cardName)
      const card = (state: Readonly<Record<string, unknown>>, moment: MomentNow): object => chain.card(key, state, moment)
      moved.set(`${keyText(key)} ${field}`, new FieldMoves({ key, path, type: chain.typeOf(), card, limit: LIMIT }))
    }
  const folds = chain.folds(all([...moved.values()]))
  const { keyOf: keyOfEvent } = chain.topology.chain.tape
  for (const batch of tape) {
    const events = isWhole ? batch.events : batch.events.filter((event) => keys.includes(keyOfEvent(event)))
    folds.batch({ ...batch, events })
  }
  const [store] = folds.stores(chain.processor)
  const newest = tape.at(-1)
  for (const [of, moves] of moved)
    if (store !== undefined && newest !== undefined) moves.end(rowsIn(store, keyOf(of.split(' ')[0] as string).asked), newest)
  return moved
}

/** The cards at the end of the tape, from an independent replay. */
const cardsOf = ({ chain, tape }: Market): ReadonlyMap<string, object> => {
  const folds = replayOf(chain.topology.chain.name).folds()
  for (const batch of tape) folds.batch(batch)
  return new Map(folds.cards().map(({ evidence }) => [nameOf(evidence), evidence]))
}
const nameOf = (evidence: object): string => {
  const { mint, token } = evidence as { readonly mint?: string; readonly token?: string }
  return mint ?? token ?? ''
}

describe.each(['mints', 'recorded', 'curves'] as const)('fields of cards: %s', (which) => {
  test('every field of /v1/labels is explained by changes that lead to the card, or has a reason why not', () => {
    const market = markets[which]
    const { cardName } = market.chain
    const cards = cardsOf(market)
    const own = Object.keys(labels.fields[cardName])
    const shown = market.keys.flatMap((key) => [...pathsIn(cards.get(keyText(key)))])
    const fields = [...new Set([...own, ...shown])]
    const read = fields.map((field) => ({ field, ...cardFieldOf(field, cardName) }))
    const explained = read.filter(({ unexplained }) => unexplained === null)
    expect(explained.length).toBeGreaterThan(90)
    let moves = 0
    for (const isWhole of [false, true]) {
      const some = explained.filter(({ isOfOtherKeys }) => isOfOtherKeys === isWhole)
      const moved = movesOf(
        market,
        some.map(({ field }) => field),
        isWhole,
      )
      for (const key of market.keys)
        for (const { field, path } of some) {
          const one = moved.get(`${keyText(key)} ${field}`) as FieldMoves
          expect([field, one.value]).toEqual([field, valueAt(cards.get(keyText(key)), path)])
          expect(one.isMet).toBe(true)
          expectChain(one)
          moves += one.total
        }
    }
    expect(moves).toBeGreaterThan(200)
  })
})

/** Each change begins where the one before ended, and changes something. */
const expectChain = ({ moves, total }: FieldMoves): void => {
  expect(moves.length).toBe(Math.min(total, LIMIT))
  let value: unknown
  for (const { before, after } of [...moves].reverse()) {
    expect(before).toEqual(value)
    expect(JSON.stringify(after)).not.toBe(JSON.stringify(before))
    value = after
  }
}

describe('the command', () => {
  const why = (...args: string[]): Promise<Ran> =>
    runCommand(registerWhy, ['why', ...args], { env: { MINTFOLD_DATA_DIR: join(dir, 'none') } })
  let mint = ''
  let tape = ''
  beforeAll(async () => {
    const { chain, keys, tape: batches } = markets.mints
    mint = keyText(keys[0] as Key)
    tape = join(dir, 'tape.avro')
    await writeTape(tape, batches, replayOf(chain.topology.chain.name).codec)
  })
  test('prints changes newest first, up to a limit, with event and signature', async () => {
    const ran = await why(mint, 'curve.rs_sol', '--in', tape, '--limit', '3', '--format', 'json')
    expect([ran.error, ran.code]).toEqual([undefined, 0])
    const lines = ran.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
    expect(lines).toHaveLength(3)
    expect(lines.map(({ before }) => before).slice(0, 2)).toEqual(lines.map(({ after }) => after).slice(1))
    for (const { event_id, position, signature } of lines) {
      expect(event_id?.startsWith(`${position}@`)).toBe(true)
      expect(signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,88}$/)
    }
    expect(ran.stderr.at(-1)).toMatch(/^3 of \d+ changes of curve.rs_sol; at the end it is [\d.e-]+$/)
  })
  test('--at stops at a position, and leaves later changes out', async () => {
    const newest = JSON.parse(
      (await why(mint, 'curve.rs_sol', '--in', tape, '--limit', '2', '--format', 'json')).out.split('\n')[1] ?? '',
    ) as {
      readonly position: string
    }
    const ran = await why(mint, 'curve.rs_sol', '--in', tape, '--at', newest.position, '--limit', '1', '--format', 'json')
    expect(JSON.parse(ran.out)).toMatchObject({ position: newest.position })
  })
  test.each([
    ['top5_share', 'holders.top5_share'],
    ['holders.top5_shar', 'holders.top5_share'],
    ['flags.creator_sol', 'flags.creator_sold'],
    ['is_first_time', 'creator_prior_at_launch.is_first_time'],
  ])('%s is no field of a card: %s is named', async (wrong, right) => {
    expect((await why(mint, wrong, '--in', tape)).error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(right) })
  })
  test('a field that no event changes exits with 0, with the reason', async () => {
    const ran = await why(mint, 'confidence', '--in', tape)
    expect(ran).toMatchObject({ out: '', code: 0, error: undefined, stderr: [expect.stringContaining('follows from coverage')] })
  })
  test('other mistakes are named', async () => {
    expect((await why('abc', 'name', '--in', tape)).error).toMatchObject({ name: 'UsageError' })
    expect((await why(mint, 'name')).error).toMatchObject({ name: 'UsageError', message: expect.stringContaining('MINTFOLD_DATA_DIR') })
    expect((await why(mint, 'name', '--in', tape, '--at', 'alt:5.~')).error).toMatchObject({ name: 'UsageError' })
    const other = '11111111111111111111111111111112'
    expect((await why(other, 'name', '--in', tape)).error).toMatchObject({ code: 'finding_not_held' })
  })
})
