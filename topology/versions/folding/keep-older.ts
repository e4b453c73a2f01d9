// Keeps rows older than the start of a rebuild unchanged, if there is no copy of them.
//
// An approximation: what the tape says about their keys counts as the older versions counted it. A tape without its first frame has copies
// of the rows (engine/bases.ts) from the second day of a log on; this is for logs of older programs, which made none.
import type { AllRows, FramePlace, Processor } from '../../../processors/contract.ts'
import { messageOf } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { CursorRow } from '../../../schemas/types.ts'
import { taskState } from '../../engine/rows/own-rows.ts'
import { emptyPage, pageKey, parsePageKey, type StateType } from '../../engine/rows/state-type.ts'
import type { Log, LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { Chunks } from '../chunks.ts'
import type { Pages, StorePages } from './bases-of.ts'
import { migratorOf, rowsReader } from './migrate.ts'

/** One store, and the version that wrote its rows. */
export interface OlderStore {
  readonly processor: Pick<Processor<never, never, never>, 'version' | 'migrate' | 'isOlder'>
  readonly state: StateType
  readonly changelog: Topic
  readonly writer: { readonly version: number; readonly schema: string }
}

/** Keys with unreadable rows, and the reason of the first. */
export interface NotKept {
  readonly keys: number
  readonly reason: string
}

/**
 * Replaces rebuilt rows by the rows of `log` for keys that rest on frames before `first`. Returns the unreadable keys, which are not kept;
 * undefined if there are none.
 */
export const keepOlder = async (
  log: LogReader,
  scratch: Log,
  partition: number,
  store: OlderStore,
  first: FramePlace,
): Promise<NotKept | undefined> => {
  const { processor, state, changelog, writer } = store
  const isOlder = (rows: AllRows): boolean => processor.isOlder?.(rows, first) === true
  if (processor.isOlder === undefined) return undefined
  const read = rowsReader(state, writer.schema)
  const readOwn = rowsReader(state, state.schema)
  const migrate = migratorOf(store, writer)
  const made = await pagesIn(scratch, changelog, partition)
  const chunks = new Chunks(await scratch.own(`keep-${partition}`))
  let notKept: NotKept | undefined
  for (const [key, pages] of await pagesIn(log, changelog, partition)) {
    const rows = attempt(() => read(whole(pages)))
    // An interrupted install may have left some rows in this program's shape.
    const own = rows.ok ? undefined : attempt(() => readOwn(whole(pages)))
    if (!rows.ok && !own?.ok) notKept = { keys: (notKept?.keys ?? 0) + 1, reason: notKept?.reason ?? rows.reason }
    const older = [rows, own].find((one) => one?.ok && isOlder(one.value))
    if (older === undefined) continue
    const kept = (older === rows ? migrate?.(key, pages) : undefined) ?? asTheyAre(key, pages)
    for (const page of made.get(key)?.keys() ?? [])
      if (page >= kept.length) await chunks.push({ topic: changelog, partition, key: pageKey(key, page), value: null })
    for (const page of kept) await chunks.push({ topic: changelog, partition, ...page })
  }
  await chunks.end()
  return notKept
}

const asTheyAre = (key: string, pages: Pages) =>
  pages.flatMap((value, page) => (value === undefined ? [] : [{ key: pageKey(key, page), value }]))

/** @throws if the log lost a page of them */
const whole = (pages: Pages): Pages => {
  const missing = pages.findIndex((page) => !page)
  if (missing >= 0) throw new Error(`page ${missing} of ${pages.length} is missing on the log`)
  return pages
}

type Attempted<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string }

const attempt = <Value>(action: () => Value): Attempted<Value> => {
  try {
    return { ok: true, value: action() }
  } catch (failure) {
    return { ok: false, reason: messageOf(failure) }
  }
}

/** Keeps the task's time of the first folded frame, and marks the frames before `first` that it had not reached as a gap. */
export const keepSince = async (
  log: LogReader,
  scratch: Log,
  partition: number,
  { id, topic, first }: { id: string; topic: Topic; first: FramePlace },
): Promise<void> => {
  const cursorIn = async (of: LogReader): Promise<CursorRow | undefined> => {
    const page = (await pagesIn(of, topic, partition)).get(id)?.[0]
    return page === undefined ? undefined : ((taskState.decode(page).cursor as CursorRow | null) ?? undefined)
  }
  const before = await cursorIn(log)
  const page = (await pagesIn(scratch, topic, partition)).get(id)?.[0]
  if (before === undefined || page === undefined) return
  const rows = { ...emptyPage(taskState.kinds), ...taskState.decode(page) }
  const cursor = rows.cursor as CursorRow
  const since = Math.min(cursor.since, before.since || cursor.since)
  const isMissed = before.number + 1 < first.number && first.number > (cursor.gapTo ?? 0)
  const gap = isMissed ? { gapFrom: before.number + 1, gapTo: first.number - 1 } : {}
  const value = taskState.encode({ ...rows, cursor: { ...cursor, since, ...gap } })
  const outputs = [{ topic, partition, key: pageKey(id, 0), value }]
  await (await scratch.own(`keep-${partition}`)).commit({ outputs, inputs: new Map() })
}

const pagesIn = async (log: LogReader, topic: Topic, partition: number): Promise<StorePages> => {
  const store: StorePages = new Map()
  for await (const { key: bytes, value } of recordsOf(log, topic, partition)) {
    const { key, page } = parsePageKey(bytes)
    const pages = store.get(key) ?? []
    pages[page] = value ?? undefined
    if (pages.every((one) => one === undefined)) store.delete(key)
    else store.set(key, pages)
  }
  return store
}
