// Rows that are older than the tape and whose shape the log does not record. A rebuild reads them in the shape of the program that wrote
// them, and reports them if it does not know this shape.
import { JUDGE_TIMER } from '../../processors/mint/odds/judge.ts'
import { readSchema } from '../../schemas/avro.ts'
import { stateTypeOf } from '../../topology/engine/rows/state-type.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import type { Topology } from '../../topology/topology.ts'
import { FORMER_SHAPES } from '../../topology/versions/folding/former-shapes.ts'
import { NO_REBUILD, storesOwner, writeStoresUpdate } from '../../topology/versions/stores-record.ts'
import { contentsOf, foldAll, marketBodies, QUICK, wiringOf } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const TIMEOUT_MS = 120_000
const PARTITIONS = 2
const bodies = marketBodies(60, 9)
const schema = readSchema('former/mint-4')
const former = stateTypeOf(schema)

type Notice = [code: string, facts: Record<string, string | number>]

/** Versions of the other processors in the release that wrote mint rows in the shape `mint-4`. */
const RELEASED: Readonly<Record<string, number>> = { creator: 3, wallet: 2 }
const releasedState = (name: string) => stateTypeOf(readSchema(`former/${name}-${RELEASED[name]}`))

/** Processor code of that release, which made no judgements. */
const unjudged =
  (processor: ReturnType<Topology['folds']>['folds'][number]['processor']): typeof processor.onTime =>
  (ctx, name, at) => {
    if (name !== JUDGE_TIMER) processor.onTime(ctx, name, at)
  }

/** A wiring with this version of the mint processor, whose rows all have the shapes of that release. */
const before = (version: number): Topology => {
  const wiring = wiringOf(2, version)
  const folds: Topology['folds'] = (partitions) => {
    const task = wiring.folds(partitions)
    const folds = task.folds.map((fold) => {
      const { name } = fold.processor
      if (name === 'mint') return { ...fold, state: former, processor: { ...fold.processor, onTime: unjudged(fold.processor) } }
      return { ...fold, state: releasedState(name), processor: { ...fold.processor, version: RELEASED[name] as number } }
    })
    return { ...task, folds }
  }
  return { ...wiring, folds }
}

/** A log that a program folded which recorded neither shapes nor copies; 80 % of its tape is trimmed. */
const left = async (version: number, wiring = before(version)): Promise<Log> => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  await appendRaw(log, bodies, 1)
  await foldAll(log, wiring)
  await writeStoresUpdate(await log.own(storesOwner('solana')), TOPICS, 'solana', { rebuild: NO_REBUILD })
  for (let partition = 0; partition < PARTITIONS; partition++)
    await log.trim(TOPICS.tape, partition, Math.floor(log.end(TOPICS.tape, partition) * 0.8))
  return log
}

const launched = (texts: readonly string[] = [], kind = 'launch'): string[] => texts.filter((text) => text.split(' ')[1] === kind)
const rebuilt = async (log: Log): Promise<Notice[]> => {
  const notices: Notice[] = []
  await foldAll(log, wiringOf(2, 5), { notice: (...one) => notices.push(one) }, QUICK)
  return notices
}

describe('rows older than the tape without a recorded shape', () => {
  test(
    'are kept if the program knows the shape of their version',
    async () => {
      const log = await left(4)
      const before = await contentsOf(log, { mints: former, creators: releasedState('creator') })
      const [coins, records] = [launched(before.mints), launched(before.creators, 'launches')]
      expect(coins.length).toBeGreaterThan(10)
      expect(records.length).toBeGreaterThan(10)
      expect(await rebuilt(log)).toEqual([])
      const { mints, creators } = await contentsOf(log)
      expect(launched(mints)).toEqual(coins)
      expect(launched(creators, 'launches')).toEqual(records)
    },
    TIMEOUT_MS,
  )

  test(
    'are kept if an interrupted swap left them in the shape of this program',
    async () => {
      const log = await left(4, wiringOf(2, 4))
      const coins = launched((await contentsOf(log)).mints)
      expect(await rebuilt(log)).toEqual([])
      expect(launched((await contentsOf(log)).mints)).toEqual(coins)
    },
    TIMEOUT_MS,
  )

  test(
    'are reported if they cannot be read, with processor, partition, number of keys and reason',
    async () => {
      const log = await left(3)
      const notices = await rebuilt(log)
      expect(notices.map(([code, { processor, partition }]) => [code, processor, partition])).toEqual(
        Array.from({ length: PARTITIONS }, (_, partition) => ['rows_not_kept', 'mint', partition]),
      )
      for (const [, { keys, reason }] of notices) {
        expect(keys).toBeGreaterThan(5)
        expect(reason).toMatch(/^version 3 of mint wrote them, in a shape that was not recorded: /)
      }
    },
    TIMEOUT_MS,
  )
})

test('the program knows a former shape of each processor, which differs from the current one', () => {
  const known = FORMER_SHAPES.find(({ name, version }) => name === 'mint' && version === 4)
  expect(known?.schema).toBe(JSON.stringify(schema))
  const today = LAUNCH_RISK.folds(1).folds
  expect(FORMER_SHAPES.map(({ name }) => name).sort()).toEqual(today.map(({ processor }) => processor.name).sort())
  for (const { name, schema: before } of FORMER_SHAPES)
    expect([name, before === today.find(({ processor }) => processor.name === name)?.state.schema]).toEqual([name, false])
})
