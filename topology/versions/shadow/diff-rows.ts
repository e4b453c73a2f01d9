// Compares the rows of a shadow with those of the running version. Cards are made from these rows.
//
// Both sides go on while they are read, so a key is compared only while it rests: the running version's rows are read, then the shadow's,
// once it has folded as far, and then the running version's again. If they are the same both times, they were so at every position between,
// one of which is the shadow's.
import type { AllRows, Processor } from '../../../processors/contract.ts'
import { EngineError } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { parsePageKey, type StateType } from '../../engine/rows/state-type.ts'
import type { LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { pause } from '../../waiting/waiting.ts'
import type { Pages, StorePages } from '../folding/bases-of.ts'
import { rowsReader } from '../folding/migrate.ts'
import { TaskPosition } from './common-frame.ts'
import { changeOf, type Differences, type Flat, fieldsThatDiffer, shown } from './differences.ts'
import type { Sides } from './sides.ts'

/** How often keys are compared that moved, or that differ: a fork that only one side has folded makes rows differ for a moment. */
const ROUNDS = 3
const POLL_MS = 100
/** How long one side may take to fold as far as the other. */
const BEHIND_MS_MAX = 120_000

type Fold = ReturnType<Sides['topology']['folds']>['folds'][number]
/** The rows of each fold. */
type Stores = ReadonlyMap<Fold, StorePages>

/** Compares one partition. @throws EngineError `shadow_not_ready` if one side does not follow the other */
export const diffRows = async (sides: Sides, found: Differences): Promise<void> => {
  const { log, made, topology } = sides
  const { folds } = topology.folds(log.partitions(topology.operations.rebuild.reads.tape))
  const left = new Map<Fold, ReadonlySet<string>>()
  let before = await storesIn(log, folds, sides.partition)
  for (let round = 1; round <= ROUNDS && !sides.stop.aborted; round++) {
    await reached(sides, made, log)
    const shadow = await storesIn(made, folds, sides.partition)
    await reached(sides, log, made)
    const after = await storesIn(log, folds, sides.partition)
    const isLast = round === ROUNDS
    for (const fold of folds) {
      const compared = { fold, before: of(before, fold), shadow: of(shadow, fold), after: of(after, fold) }
      left.set(fold, compareKeys(sides, compared, left.get(fold) ?? keysOf(compared), isLast, found))
    }
    before = after
    if ([...left.values()].every(({ size }) => size === 0)) return
  }
}

interface Compared {
  readonly fold: Fold
  readonly before: StorePages
  readonly shadow: StorePages
  readonly after: StorePages
}
const keysOf = ({ before, shadow, after }: Compared): ReadonlySet<string> => new Set([...before.keys(), ...shadow.keys(), ...after.keys()])
const of = (stores: Stores, fold: Fold): StorePages => stores.get(fold) ?? new Map()

/** Returns the keys that have to be compared again. */
const compareKeys = (
  sides: Sides,
  { fold, before, shadow, after }: Compared,
  keys: ReadonlySet<string>,
  isLast: boolean,
  found: Differences,
): ReadonlySet<string> => {
  const kind = `rows of ${fold.processor.name}`
  const rowsOf = rowsWith(sides, fold)
  const again = new Set<string>()
  for (const key of keys) {
    if (!areSamePages(before.get(key), after.get(key))) {
      if (isLast) found.moving(kind)
      else again.add(key)
      continue
    }
    const [running, beside] = [rowsOf.running(after.get(key)), rowsOf.shadow(shadow.get(key))]
    const fields = rowsOf.isKept(running) ? {} : fieldsThatDiffer(flat(fold.state, running), flat(fold.state, beside))
    if (Object.keys(fields).length === 0) found.same(kind)
    else if (!isLast) again.add(key)
    else found.differs({ kind, change: changeOf(running, beside), id: String(shown(key)), fields })
  }
  return again
}

/** Reads rows of both sides in the shape of the shadow's version; the engine's timers are left out. */
const rowsWith = ({ folded, writerOf }: Sides, { processor, state }: Fold) => {
  const writer = writerOf(processor.name)
  const [read, readAsWritten] = [rowsReader(state, state.schema), rowsReader(state, writer.schema ?? state.schema)]
  const { migrate, isOlder }: Pick<Processor<never, never, never>, 'migrate' | 'isOlder'> = processor
  const withoutTimers = (rows: AllRows): AllRows => ({ ...rows, [state.timers.name]: [] })
  return {
    shadow: (pages: Pages | undefined): AllRows | undefined => pages && withoutTimers(read(pages)),
    running: (pages: Pages | undefined): AllRows | undefined => {
      if (pages === undefined) return undefined
      const rows = firstThatReads(pages, read, readAsWritten)
      return withoutTimers(processor.version === writer.version ? rows : (migrate?.(rows, writer.version) ?? rows))
    },
    /** True for rows that a promotion keeps as they are. */
    isKept: (rows: AllRows | undefined): boolean => folded.isCut && rows !== undefined && isOlder?.(rows, folded.first) === true,
  }
}

/** A log on Kafka translates rows to the shape that this program's topics have; other logs return them as they were written. */
const firstThatReads = (pages: Pages, ...readers: readonly [(pages: Pages) => AllRows, (pages: Pages) => AllRows]): AllRows => {
  try {
    return readers[0](pages)
  } catch {
    return readers[1](pages)
  }
}

/** Fields by path: `launch.creator`, and `holders[<id>].amount` for rows of which a key has many. */
const flat = ({ kinds }: StateType, rows: AllRows | undefined): Flat => {
  const fields = new Map<string, unknown>()
  const put = (path: string, row: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(row)) fields.set(`${path}.${name}`, value)
  }
  for (const { name, idField } of kinds) {
    const value = rows?.[name] as Record<string, unknown> | Record<string, unknown>[] | null | undefined
    if (Array.isArray(value)) for (const row of value) put(`${name}[${shown(row[idField ?? ''])}]`, row)
    else if (value != null) put(name, value)
  }
  return fields
}
const areSamePages = (a: Pages = [], b: Pages = []): boolean =>
  a.length === b.length && a.every((page, at) => Buffer.compare(page ?? Buffer.alloc(0), b[at] ?? Buffer.alloc(0)) === 0)

/** Waits until `side` has folded as far as `other` has now. */
const reached = async ({ log, topology, partition, stop }: Sides, side: LogReader, other: LogReader): Promise<void> => {
  const { progress } = topology.operations.rebuild.reads
  await log.refresh()
  const until = await new TaskPosition(other, progress, partition).newest()
  const position = new TaskPosition(side, progress, partition)
  const over = performance.now() + BEHIND_MS_MAX
  while (!stop.aborted && until !== undefined) {
    const now = await position.newest()
    if (now !== undefined && now.number >= until.number) return
    if (performance.now() > over) throw doesNotFollow(partition, until.number, now?.number)
    await pause(POLL_MS, stop)
    await log.refresh()
  }
}

const doesNotFollow = (partition: number, wanted: number, at = -1): EngineError =>
  new EngineError(
    'shadow_not_ready',
    `partition ${partition} has not come from frame ${at} to frame ${wanted} within ${BEHIND_MS_MAX / 1_000} s: check that mintfold process and mintfold process --shadow run`,
    { retriable: true },
  )

const storesIn = async (log: LogReader, folds: readonly Fold[], partition: number): Promise<Stores> => {
  const stores = new Map<Fold, StorePages>()
  for (const fold of folds) stores.set(fold, await pagesIn(log, fold.changelog, partition))
  return stores
}

/** The rows of a partition that may grow meanwhile: a log with one record per key moves a key that is written again to the end. */
const pagesIn = async (log: LogReader, topic: Topic, partition: number): Promise<StorePages> => {
  const store: StorePages = new Map()
  for (let from = log.start(topic, partition); ; ) {
    const to = log.end(topic, partition)
    if (to <= from) return store
    for await (const { key: bytes, value } of recordsOf(log, topic, partition, { from, to })) {
      const { key, page } = parsePageKey(bytes)
      const pages = store.get(key) ?? []
      pages[page] = value ?? undefined
      if (pages.every((one) => one === undefined)) store.delete(key)
      else store.set(key, pages)
    }
    from = to
  }
}
