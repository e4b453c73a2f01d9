// The view of a chain whose launchpad creates curves: cards and lists.

import { readSchema } from '../../schemas/avro.ts'
import type { Key } from '../../schemas/keys.ts'
import { stateTypeOf } from '../engine/rows/state-type.ts'
import type { CurveSnapshot, CurveView } from '../ports/curve-view.ts'
import type { Log } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { SourceStatus } from '../ports/source-status.ts'
import type { CurveTopology } from '../topology.ts'
import { Curves } from './curves.ts'
import { LogView } from './log-view.ts'
import { reportTorn } from './torn.ts'

/** Follows one log. Shows only committed records. */
export class LogCurveView extends LogView implements CurveView {
  readonly #rows: { curves: Curves }

  /** `wall` is unix milliseconds. */
  constructor(
    log: Log,
    { chain, views }: Pick<CurveTopology, 'chain' | 'views'>,
    source: SourceStatus,
    wall: () => number = Date.now,
    notice: Notice = () => {},
  ) {
    const { curveChangelog, ...topics } = views.curves.reads
    const rows = { curves: new Curves() }
    const clear = (): void => {
      rows.curves = new Curves()
    }
    const check = (): void => reportTorn(notice, curveChangelog, rows.curves.torn())
    super({
      ...{ log, topics, source, wall, notice, conclusions: chain.conclusions },
      decode: stateTypeOf(readSchema(topics.decodeChangelog.schema)),
      followed: [{ topic: curveChangelog, put: (record) => rows.curves.put(record), clear, check }],
      tracked: () => rows.curves.size,
    })
    this.#rows = rows
  }
  get(token: Key): CurveSnapshot | undefined {
    return this.#rows.curves.get(token)
  }
  find(address: Key): CurveSnapshot | undefined {
    return this.#rows.curves.find(address)
  }
  launchesSince(since: number, until?: number): Iterable<CurveSnapshot> {
    return this.#rows.curves.since(since, until)
  }
}
