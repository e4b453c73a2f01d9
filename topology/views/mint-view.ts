// The view of a chain whose launchpad creates mints: cards, lists and records.

import { readSchema } from '../../schemas/avro.ts'
import type { Key } from '../../schemas/keys.ts'
import type { PositionInChain } from '../../schemas/position.ts'
import { IN_MEMORY } from '../engine/rows/memory-pages.ts'
import { stateTypeOf } from '../engine/rows/state-type.ts'
import type { PageStore } from '../ports/keyed-pages.ts'
import type { Log } from '../ports/log.ts'
import type { MigrationRecord, MintSnapshot, MintView } from '../ports/mint-view.ts'
import type { Notice } from '../ports/notice.ts'
import type { RecordView } from '../ports/record-view.ts'
import type { SourceStatus } from '../ports/source-status.ts'
import type { MintTopology } from '../topology.ts'
import { LogView } from './log-view.ts'
import { Mints } from './mints.ts'
import { RecordRows } from './record-view.ts'
import { FlagRecordFeed } from './status/sighting-feed.ts'
import { migrationOf } from './status/sightings.ts'
import { reportTorn } from './torn.ts'

/** Reach of the lists; at ten times the current load there are about 10,000 migrations in 24 h. */
const MIGRATIONS = { keepS: 86_400, keepMax: 50_000 }
const DECODE = 'decode-state'

/** Follows one log. Shows only committed records. */
export class LogMintView extends LogView implements MintView {
  readonly #rows: { mints: Mints; readonly records: RecordRows }
  readonly #migrations: FlagRecordFeed<MigrationRecord>

  /** `wall` is unix milliseconds; `pages` is for records of creators and wallets, in memory by default. */
  constructor(
    log: Log,
    { chain, views }: Pick<MintTopology, 'chain' | 'views'>,
    source: SourceStatus,
    wall: () => number = Date.now,
    notice: Notice = () => {},
    pages: PageStore = IN_MEMORY,
  ) {
    const { outcomes, mintChangelog, creatorChangelog, walletChangelog, ...topics } = views.mints.reads
    const { conclusions } = chain
    const rows = { mints: new Mints(), records: new RecordRows(pages) }
    const migrations = new FlagRecordFeed<MigrationRecord>({ ...MIGRATIONS, form: conclusions, read: migrationOf, idOf: ({ id }) => id })
    super({
      ...{ log, topics, source, wall, notice, conclusions },
      decode: stateTypeOf(readSchema(DECODE)),
      followed: [
        { topic: outcomes, put: (record, partition) => migrations.put(record, partition), clear: () => {} },
        {
          topic: mintChangelog,
          put: (record) => rows.mints.put(record),
          clear: () => {
            rows.mints = new Mints()
          },
          check: () => reportTorn(notice, mintChangelog, rows.mints.rows.torn()),
        },
        { topic: creatorChangelog, put: (record) => rows.records.putCreator(record), clear: () => rows.records.clearCreators() },
        { topic: walletChangelog, put: (record) => rows.records.putWallet(record), clear: () => rows.records.clearWallets() },
      ],
      tracked: () => rows.mints.rows.size,
    })
    this.#rows = rows
    this.#migrations = migrations
  }
  get(mint: Key): MintSnapshot | undefined {
    return this.#rows.mints.rows.get(mint)
  }
  launchesSince(since: number, until?: number): Iterable<MintSnapshot> {
    const { mints } = this.#rows
    return mints.held(mints.launches.since(since, until))
  }
  launchesBy(wallet: Key): Iterable<MintSnapshot> {
    const { mints } = this.#rows
    return mints.held(mints.launches.by(wallet))
  }
  launchesAfter(position: PositionInChain): Iterable<MintSnapshot> {
    const { mints } = this.#rows
    return mints.held(mints.order.after(position))
  }
  firstLaunchSince(second: number): PositionInChain | null {
    return this.#rows.mints.order.firstSince(second)
  }
  migrationsSince(since: number, until?: number): Iterable<MigrationRecord> {
    return this.#migrations.since(since, until)
  }
  /** Records of creators and wallets: complete when this view is. */
  get records(): RecordView {
    return this.#rows.records
  }
}
