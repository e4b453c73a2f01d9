// The view of curves over a log that the folds write: after every commit it shows what they hold.
import fc from 'fast-check'
import { nodeLogs } from '../../../processors/chains/alt/chain.ts'
import { CURVE } from '../../../processors/curve/rows.ts'
import { altTapeRecordCodec } from '../../../schemas/codecs.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { AltTapeEvent, AltTapeRecord, CurveState } from '../../../schemas/types.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import { createPartitioner } from '../../../topology/engine/partition.ts'
import { parsePageKey } from '../../../topology/engine/rows/state-type.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log, OutRecord, TaskOwner } from '../../../topology/ports/log.ts'
import { CurveReplay } from '../../../topology/runtime/curve-replay.ts'
import { type Folds, startFolds } from '../../../topology/runtime/runtime.ts'
import { openAltDemo } from '../../../topology/simulator/alt/open-demo.ts'
import { inputsOf } from '../../../topology/topology.ts'
import { LogCurveView } from '../../../topology/views/curve-view.ts'
import { Rows, RowsByKey } from '../../../topology/views/rows-by-key.ts'
import { readAll } from '../../live.ts'
import { lifeOf, type Ops, ops } from '../../property/curve-arbitraries.ts'
import {
  block,
  CURVE_CONTRACT,
  DEPLOYER_WALLET,
  ETH,
  type Frame,
  key,
  Pad,
  type PadOptions,
  T0,
  TOKEN,
} from '../../unit/processors/curve/launchpad.ts'

const PARTITIONS = 2
const { tape } = inputsOf(CURVE_RISK)
const partitionOf = createPartitioner(PARTITIONS, (one) => keyText(one as Key))

const recordsOf = ({ header, events }: Frame): OutRecord[] =>
  Array.from({ length: PARTITIONS }, (_, partition) => {
    const own: AltTapeEvent[] = events.filter(({ mint }) => partitionOf(mint) === partition)
    const record = { type: 'batch', ...header, events: own } as unknown as AltTapeRecord
    return { topic: tape, partition, key: Buffer.from('alt'), value: altTapeRecordCodec.encode(record) }
  })

/** Folds and a view on one log, and a replay for comparison. */
class World {
  readonly #log: Log = createMemoryLog({ partitions: PARTITIONS })
  readonly view = new LogCurveView(this.#log, CURVE_RISK, { tip: () => null })
  readonly #replay = new CurveReplay(CURVE_RISK, PARTITIONS)
  #folds!: Folds
  #owner!: TaskOwner

  async start(): Promise<void> {
    this.#owner = await this.#log.own('test-decoder')
    await this.view.start()
    this.#folds = await startFolds(this.#log, [CURVE_RISK])
  }
  /** Folds one commit and updates the view. */
  async add(frames: readonly Frame[]): Promise<void> {
    await this.#owner.commit({ outputs: frames.flatMap(recordsOf), inputs: new Map() })
    for (const { header, events } of frames) this.#replay.batch({ type: 'batch', ...header, events: [...events] } as never)
    await this.#folds.caughtUp()
    await this.view.caughtUp()
  }
  /** Rolls back `dead`, the newest frames, to `canonical`. */
  async rollBack(canonical: Frame, dead: readonly Frame[]): Promise<void> {
    const { number, hash8, sequence } = canonical.header
    const record: AltTapeRecord = {
      ...{ type: 'revert', chain: 'alt', sequence: sequence + 1_000_000, number, hash8 },
      dead: dead.map(({ header }) => ({ number: header.number, hash8: header.hash8 })).reverse(),
    }
    const value = altTapeRecordCodec.encode(record)
    const outputs = Array.from({ length: PARTITIONS }, (_, partition) => ({ topic: tape, partition, key: Buffer.from('alt'), value }))
    await this.#owner.commit({ outputs, inputs: new Map() })
    await this.#folds.caughtUp()
    await this.view.caughtUp()
  }
  async stop(): Promise<void> {
    await this.#folds.stop()
    await this.view.stop()
  }
  /** A view that starts now. */
  async late(): Promise<LogCurveView> {
    const view = new LogCurveView(this.#log, CURVE_RISK, { tip: () => null })
    await view.start()
    await view.stop()
    return view
  }
  expected(): ReadonlyMap<Key, CurveState> {
    const rows = this.#replay.rowsOf(CURVE, (type) => new RowsByKey<CurveState>({ type, decodedBytesMax: 0, of: Rows }))
    return new Map(rows.map((one) => [one.key, one.state]))
  }
}

const CURVES: readonly PadOptions[] = [
  { token: TOKEN, curve: CURVE_CONTRACT },
  { token: key(21), curve: key(22), deployer: key(23) },
  { token: key(31), curve: key(32) },
]
/** Merges the lives of all curves into one market. */
const marketOf = (lives: readonly Ops[]): Frame[] => {
  const byNumber = new Map<number, Frame>()
  for (const [n, life] of lives.entries())
    for (const frame of lifeOf(life, CURVES[n]).frames) {
      const before = byNumber.get(frame.header.number)
      // Transactions of the second curve come after those of the first.
      const events = frame.events.map((event) => ({ ...event, tx: event.tx + n * 1_000, outer: event.outer + n * 10_000 }))
      byNumber.set(frame.header.number, { ...frame, events: [...(before?.events ?? []), ...events] })
    }
  return [...byNumber.values()].sort((a, b) => a.header.number - b.header.number)
}

const addressesOf = ({ launch, stub }: CurveState): readonly Key[] => [launch?.curve ?? stub?.curve].filter((one) => one !== undefined)
const textOf = (row: unknown): string => JSON.stringify(row, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
/** Rows of a kind are unordered. */
const ordered = (state: CurveState | undefined): object =>
  Object.fromEntries(
    Object.entries(state ?? {}).map(([name, rows]) => [name, Array.isArray(rows) ? rows.map(textOf).sort() : textOf(rows)]),
  )
const expectShown = (view: LogCurveView, rows: ReadonlyMap<Key, CurveState>): void => {
  expect(view.status().tracked).toBe(rows.size)
  for (const [token, state] of rows) {
    expect(ordered(view.get(token)?.state)).toEqual(ordered(state))
    for (const address of [token, ...addressesOf(state)]) expect(view.find(address)?.token).toBe(token)
  }
  const launches = [...rows].flatMap(([token, { launch }]) => (launch === null ? [] : [{ token, ...launch }]))
  const newest = launches.sort((a, b) => b.number - a.number || b.tx - a.tx)
  expect([...view.launchesSince(0)].map(({ token }) => token)).toEqual(newest.map(({ token }) => token))
  const [last] = newest
  if (last === undefined) return
  expect([...view.launchesSince(last.at + 1)]).toEqual([])
  expect([...view.launchesSince(0, last.at - 1)].every(({ head: { launch } }) => (launch?.at ?? 0) < last.at)).toBe(true)
}

test('for any lives of curves, the view shows the folds’ rows after each commit, and so does a view that starts late', async () => {
  const chunks = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })
  let shown = 0
  await fc.assert(
    fc.asyncProperty(fc.tuple(ops, ops, ops), chunks, async (lives, sizes) => {
      const world = new World()
      await world.start()
      const frames = marketOf(lives)
      for (let at = 0, n = 0; at < frames.length; n++) {
        const size = sizes[n % sizes.length] as number
        await world.add(frames.slice(at, at + size))
        at += size
        expectShown(world.view, world.expected())
        shown += world.expected().size
      }
      expectShown(await world.late(), world.expected())
      await world.stop()
    }),
    { numRuns: 12 },
  )
  expect(shown).toBeGreaterThan(50)
})

test('both addresses of a forgotten curve find its remaining rows, and nothing once these expire', async () => {
  const pad = new Pad()
  const other = new Pad(CURVES[1])
  const world = new World()
  await world.start()
  await world.add([block(0, [...pad.launch(), ...pad.buy(DEPLOYER_WALLET, ETH / 10n)])])
  expect(world.view.find(CURVE_CONTRACT)?.state.launch).toMatchObject({ curve: CURVE_CONTRACT, at: T0 })
  expect([...world.view.launchesSince(T0)].map(({ token }) => token)).toEqual([TOKEN])
  await world.add([block(300_000, other.launch())])
  for (const address of [TOKEN, CURVE_CONTRACT])
    expect(world.view.find(address)?.state).toMatchObject({ launch: null, figures: null, stub: { curve: CURVE_CONTRACT } })
  expect([...world.view.launchesSince(0)].map(({ token }) => token)).toEqual([key(21)])
  expectShown(world.view, world.expected())
  // Remaining rows are kept for a day.
  await world.add([block(300_000 + 864_010)])
  expect([TOKEN, CURVE_CONTRACT].map((address) => world.view.find(address))).toEqual([undefined, undefined])
  expect(world.view.get(TOKEN)).toBeUndefined()
  expect(world.view.find(key(22))?.token).toBe(key(21))
  expectShown(world.view, world.expected())
  expectShown(await world.late(), world.expected())
  await world.stop()
})

test('rolls back a launch from rows, lists and addresses, and a trade from its curve', async () => {
  const [pad, other] = [new Pad(), new Pad(CURVES[1])]
  const world = new World()
  await world.start()
  const canonical = block(0, pad.launch())
  const dead = [block(1, other.launch()), block(2, [...pad.buy(DEPLOYER_WALLET, ETH / 10n), ...other.buy(DEPLOYER_WALLET, ETH)])]
  await world.add([canonical])
  const rows = world.expected()
  await world.add(dead)
  expectShown(world.view, world.expected())
  expect(world.view.find(key(22))?.token).toBe(key(21))
  await world.rollBack(canonical, dead)
  expect([key(21), key(22)].map((address) => world.view.find(address))).toEqual([undefined, undefined])
  expectShown(world.view, rows)
  expectShown(await world.late(), rows)
  await world.stop()
})

test('counts frames and events of a decoder whose rows span several pages, and gives the time since when it observes', async () => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  const defaults = { seed: 1, rate: 50, startMs: T0 * 1_000, forksPerHour: 0 }
  const play = { speed: 'max', history: 0, frames: 900 } as const
  const context = { dataDir: null, stop: new AbortController().signal, folded: () => null }
  const { source } = await openAltDemo(log, CURVE_RISK.sources.live, nodeLogs, defaults, play, context)
  await source.run()
  const folds = await startFolds(log, [CURVE_RISK])
  await folds.caughtUp()
  await folds.stop()
  const { decodeChangelog } = CURVE_RISK.views.curves.reads
  const records = await readAll(log, decodeChangelog)
  expect(new Set(records.map((record) => parsePageKey(record.key).page)).size).toBeGreaterThan(2)
  const view = new LogCurveView(log, CURVE_RISK, source)
  await view.start()
  await view.stop()
  const { observedSince, counters, gap, folded } = view.status()
  expect([observedSince, gap, folded]).toEqual([T0, null, source.tip()])
  expect(counters).toMatchObject({ frames: 900, events: await eventsIn(log), gaps: 0, dead_letters: 0 })
})

const eventsIn = async (log: Log): Promise<number> => {
  const records = (await readAll(log, tape)).map(({ value }) => altTapeRecordCodec.decode(value as Uint8Array))
  return records.reduce((sum, read) => sum + (read.ok && read.value.type === 'batch' ? read.value.events.length : 0), 0)
}
