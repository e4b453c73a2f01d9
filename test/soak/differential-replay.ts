// Compares a log with a replay of its own raw records without a log: of all records, and of the canonical branch only.
import { conclusionCodec, rawRecordCodec } from '../../schemas/codecs.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Conclusion, RawRecord } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Log, LogRecord } from '../../topology/ports/log.ts'
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { canonicalFrames } from '../fixtures/canonical-frames.ts'
import { CONCLUDED, TOPICS } from '../fixtures/topics.ts'
import { cardsOf, readAll, standingConclusions } from '../live.ts'
import { type Compared, differencesOf } from './compare.ts'

type Body = RawRecord['body']

export interface AgainstReplay {
  readonly counts: Readonly<Record<'frames' | 'reverts' | 'gaps' | 'mints' | 'conclusions' | 'retractions', number>>
  readonly differences: Readonly<Record<'replay' | 'canonical branch', readonly string[]>>
}

/** Replays the records of the raw topic, and returns what differs from the log. */
export const againstReplay = async (log: Log): Promise<AgainstReplay> => {
  const bodies = (await readAll(log, TOPICS.raw)).map(bodyOf)
  const canonical = canonicalFrames(bodies)
  const [all, alone] = [replayed(bodies, log.partitions(TOPICS.tape)), replayed(canonical, 1)]
  const [conclusions, standing] = await concludedOn(log)
  const { gaps, shown } = await shownOn(log, all.mints)
  const retractions = conclusions.length - standing.length
  return {
    counts: {
      frames: canonical.length,
      reverts: bodies.filter(({ type }) => type === 'revert').length,
      gaps,
      mints: all.mints.length,
      conclusions: standing.length,
      retractions,
    },
    differences: {
      replay: differencesOf({ ...shown, conclusions }, all.results),
      'canonical branch': differencesOf({ ...shown, conclusions: standing }, alone.results),
    },
  }
}

const bodyOf = ({ value }: LogRecord): Body => {
  const read = rawRecordCodec.decode(value ?? new Uint8Array())
  if (!read.ok) throw new Error(read.reason)
  return read.value.body
}

/** Conclusions are sorted, because a replay returns them by position and a log by partition. */
const replayed = (bodies: readonly Body[], partitions: number): { readonly results: Compared; readonly mints: readonly Key[] } => {
  const replay = new Replay(LAUNCH_RISK, partitions, DEFAULT_LIMITS)
  const conclusions = bodies.flatMap((body) => {
    if (body.type === 'frame') return replay.frame(body)?.conclusions ?? []
    return body.type === 'anchor' ? [] : replay.control(body)
  })
  const { tape } = replay
  const gap = tape === undefined || tape.gapFrom === null || tape.gapTo === null ? null : { from: tape.gapFrom, to: tape.gapTo }
  const mints = replay.mints()
  const results = {
    conclusions: conclusions.map((one) => JSON.stringify(one)).sort(),
    cards: cardsOf(mints, tape?.time ?? 0, gap),
    rows: mints.map(rowsText),
  }
  return { results, mints: mints.map(({ mint }) => mint) }
}

/** Rows of a kind are sorted, because pages hold them in the order in which they were written or restored. */
const rowsText = ({ mint, state }: MintSnapshot): string =>
  JSON.stringify({ mint, ...state }, (_name, value) => (Array.isArray(value) ? value.map((row) => JSON.stringify(row)).sort() : value))

/** All conclusions, and those not retracted. */
const concludedOn = async (log: Log): Promise<readonly [string[], string[]]> => {
  const parsed = (records: readonly LogRecord[]): Conclusion[] =>
    records.map(({ value }) => {
      const read = conclusionCodec.decode(value ?? new Uint8Array())
      if (!read.ok) throw new Error(read.reason)
      return read.value
    })
  const all: string[] = []
  const standing: string[] = []
  for (const topic of CONCLUDED)
    for (let partition = 0; partition < log.partitions(topic); partition++) {
      const conclusions = parsed(await readAll(log, topic, partition))
      all.push(...conclusions.map((one) => JSON.stringify(one)))
      standing.push(...standingConclusions(conclusions))
    }
  return [all.sort(), standing.sort()]
}

const shownOn = async (log: Log, mints: readonly Key[]): Promise<{ readonly gaps: number; readonly shown: Compared }> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  await view.stop()
  const { folded, gap, tracked, counters } = view.status()
  const snapshots = mints.map((mint) => view.get(mint)).filter((snapshot) => snapshot !== undefined)
  const rows = tracked === mints.length ? snapshots.map(rowsText) : [`${tracked} mints`]
  return { gaps: counters.gaps, shown: { cards: cardsOf(snapshots, folded?.time ?? 0, gap), rows } }
}
