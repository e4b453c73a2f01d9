// Wallets of a whole market with forks: positions, class and rank against a plain recount of its tape.
import { conclusionCodec, tapeRecordCodec } from '../../schemas/codecs.ts'
import type { Conclusion, TapeBatch } from '../../schemas/types.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { computeWallets } from '../../topology/history/wallets.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { LOG_ID_OWNER } from '../../topology/sinks/history-id.ts'
import { playDemo } from '../fixtures/demo-history.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { type Position, positionRow, positionsIn, resultsOf } from '../fixtures/wallet-recount.ts'
import { readAll, standingConclusions } from '../live.ts'
import { describeEngine } from './history-server-given.ts'
import { leaderboardOf, positionsOf } from './history-wallets-given.ts'
import { contentsOf, type GivenHistories, givenHistories, sinkAll } from './sink-given.ts'

const PARTITIONS = 3
const asOfIn = async ({ database, rows }: HistoryClient): Promise<number> =>
  (await rows<{ s: number }>(`SELECT toUnixTimestamp(max(as_of)) AS s FROM ${database}.wallet_spans_log`))[0]?.s ?? 0

/** The tape frames of the canonical branch, of all partitions. */
const standingFrames = async (log: Log): Promise<TapeBatch[]> => {
  const standing: TapeBatch[] = []
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const frames = new Map<string, TapeBatch>()
    for (const { value } of await readAll(log, TOPICS.tape, partition)) {
      const read = tapeRecordCodec.decode(value as Uint8Array)
      if (!read.ok) throw new Error(read.reason)
      if (read.value.type === 'batch') frames.set(`${read.value.number}@${read.value.hash8}`, read.value)
      else if (read.value.type === 'revert') for (const { number, hash8 } of read.value.dead) frames.delete(`${number}@${hash8}`)
    }
    standing.push(...frames.values())
  }
  return standing
}
const standingRoles = async (log: Log): Promise<Conclusion[]> => {
  const conclusions: Conclusion[] = []
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const all = (await readAll(log, TOPICS.outcomes, partition)).map(({ value }) => conclusionCodec.decode(value as Uint8Array))
    conclusions.push(
      ...standingConclusions(all.flatMap((read) => (read.ok ? [read.value] : []))).map((text) => JSON.parse(text) as Conclusion),
    )
  }
  return conclusions.filter(({ body }) => body.type === 'role')
}
/** The leaderboard, computed from positions. */
const boardOf = (positions: readonly Position[]) => {
  const results = resultsOf(positions)
  return results.map(({ wallet, class: kind, realized, positions: n }) => ({
    rank: results.findIndex((other) => other.realized === realized) + 1,
    ...{ wallet, class: kind, realized_lamports: Number(realized), n_positions: n },
  }))
}

describeEngine('wallets of a market in the history', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories()
  })
  afterAll(() => given.remove())

  test('positions, class and rank of a demo market with forks equal a plain recount, also when all is inserted twice', async () => {
    const log = createMemoryLog({ partitions: PARTITIONS })
    await playDemo(log, { seed: 11, rate: 3, historyMinutes: 5, frameMinutes: 2, forksPerHour: 600 })
    const client = await given.fresh()
    await sinkAll(log, client)
    await computeWallets(client)
    const [frames, roles] = [await standingFrames(log), await standingRoles(log)]
    const positions = positionsIn(frames, roles, await asOfIn(client))
    const expected = positions.map(positionRow)
    expect(expected.length).toBeGreaterThan(500)
    expect(expected.filter(({ has_role }) => has_role).length).toBeGreaterThan(50)
    expect(expected.filter(({ is_sniped }) => is_sniped).length).toBeGreaterThan(50)
    expect(expected.filter(({ realized_lamports }) => realized_lamports === null).length).toBeGreaterThan(0)
    expect(await positionsOf(client)).toEqual(expected)
    const board = boardOf(positions)
    expect(new Set(board.map((row) => row.class)).size).toBeGreaterThan(1)
    expect(await leaderboardOf(client)).toEqual(board)
    const ids = new Set(roles.map(({ body }) => (body.type === 'role' ? `${body.mint}${body.wallet}${body.role}` : '')))
    expect(ids.size).toBe(roles.length)
    const contents = await contentsOf(client)
    expect(contents.wallet_roles).toMatch(new RegExp(`^${roles.length} `))
    await sinkAll(await again(log), client)
    await computeWallets(client)
    expect(await contentsOf(client)).toEqual(contents)
    expect(await positionsOf(client)).toEqual(expected)
    expect(await leaderboardOf(client)).toEqual(board)
  })
})

/** The same log, but its sink has another owner id and therefore no committed offsets: it delivers everything again. */
const again = async (log: Log): Promise<Log> =>
  new Proxy(log, {
    get: (target, name) => {
      if (name === 'own') return async (owner: string) => target.own(owner === LOG_ID_OWNER ? owner : `${owner}-again`)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
