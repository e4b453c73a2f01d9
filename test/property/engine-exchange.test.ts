// Several processors that exchange messages: the state of a task is a function of the chain alone.
import fc from 'fast-check'
import type { FrameHeader } from '../../processors/contract.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { deeplyForkedChain, type ForkedChain, forkedChain, straightChain } from '../fixtures/arbitrary-chains.ts'
import { modelOf, standing } from '../fixtures/ask-model.ts'
import { type Ask, asker, definition, OUTPUT, teller } from '../fixtures/askers.ts'
import { type Action, TaskWorld, type WorldOptions } from '../task-world.ts'

const PARTITIONS_MAX = 5
const actions = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: PARTITIONS_MAX - 1 }),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Action>('fold') },
      { weight: 3, arbitrary: fc.constant<Action>('exchange') },
      { weight: 2, arbitrary: fc.constant<Action>('commit') },
      { weight: 1, arbitrary: fc.constant<Action>('restart') },
    ),
    fc.integer({ min: 1, max: 9 }),
  ),
  { maxLength: 120, size: 'max' },
)
const options = fc.record({ partitions: fc.integer({ min: 1, max: PARTITIONS_MAX }), handsOver: fc.boolean() })

/** Runs the chain under the schedule and compares the result with the model of the canonical frames. */
const check = (
  { inputs, canonical }: ForkedChain,
  { partitions, handsOver }: Omit<WorldOptions, 'limits'>,
  schedule: [number, Action, number][],
): void => {
  const world = new TaskWorld<Ask, FrameHeader>(
    definition(partitions),
    { partitions, handsOver, limits: DEFAULT_LIMITS },
    inputs,
    (event) => event.asker,
  )
  for (const [at, action, times] of schedule) for (let i = 0; i < times && world.act(at % partitions, action); i++);
  world.finish()
  const model = modelOf(canonical)
  expect(standing(world.texts(OUTPUT))).toEqual(model.lines)
  for (const { name } of [asker, teller]) expect(world.rows(name)).toEqual(model.rows(name))
}

test('outputs and rows depend on neither arrival order, partitions, batches, commits, restarts nor the pace of inputs', () => {
  fc.assert(
    fc.property(fc.boolean().chain(straightChain), options, actions, (chain, how, schedule) => check(chain, how, schedule)),
    { numRuns: 60 },
  )
})

test('after any forks, outputs and rows equal those of a run over the canonical branch alone', () => {
  fc.assert(
    fc.property(forkedChain, options, actions, (chain, how, schedule) => check(chain, how, schedule)),
    { numRuns: 60 },
  )
})

test('the same holds for forks that roll back up to 64 blocks', () => {
  fc.assert(
    fc.property(deeplyForkedChain, options, actions, (chain, how, schedule) => check(chain, how, schedule)),
    { numRuns: 25 },
  )
})
