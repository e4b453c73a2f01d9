import { detectors } from '../../../processors/mint/detectors/index.ts'
import { confirmedOnly, lifecycleAfter } from '../../../processors/mint/watch-events.ts'
import { watchEvents } from '../../shipped.ts'
import { flagRow, liveState } from '../query-api/given-mint.ts'

const FLAGS = ['creator_sold', 'bundle_dumped', 'curve_drained', 'pool_drained', 'curve_closed_low', 'migrate_below_grad']
const STEPS = ['curve_complete', 'migrated_graduated', 'migrated_below_grad']
const step = (name: string, number = 1_045) => ({ step: name, number, tx: 2, outer: 0, inner: 0, hash8: 'AAAAAAAA', at: 1 })
const sure = (): boolean => true

test('the seven events are the contract’s, and only flags of active detectors are among them', () => {
  expect(watchEvents.names).toEqual([...FLAGS, 'lifecycle_transition'])
  for (const { flag, tier } of detectors.all) expect([flag, watchEvents.names.includes(flag)]).toEqual([flag, tier === 'active'])
})

test('bits equal those in issued cursors', () => {
  const flagBits = FLAGS.map((flag) => watchEvents.of({ flags: [flagRow(flag)], steps: [] }, sure))
  const stepBits = STEPS.map((name) => watchEvents.of({ flags: [], steps: [step(name)] }, sure))
  expect([...flagBits, ...stepBits]).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256])
  expect(watchEvents.of({ flags: FLAGS.map((flag) => flagRow(flag)), steps: STEPS.map((name) => step(name)) }, sure)).toBe(511)
  expect(watchEvents.of({ flags: [flagRow('of_a_later_version')], steps: [] }, sure)).toBe(0)
})

test('slots that the chain may still drop do not count', () => {
  const state = liveState({
    flags: [flagRow('creator_sold', { number: 10 }), flagRow('curve_drained', { number: 11 })],
    steps: [step('curve_complete', 10), step('migrated_graduated', 12)],
  })
  const upTo = (confirmed: number) => (number: number) => number <= confirmed
  expect([9, 10, 11, 12].map((confirmed) => watchEvents.of(state, upTo(confirmed)))).toEqual([0, 65, 69, 197])
  const { flags, steps, holders } = confirmedOnly(state, upTo(10))
  expect([flags.map(({ flag }) => flag), steps.map((row) => row.step)]).toEqual([['creator_sold'], ['curve_complete']])
  expect(holders).toBe(state.holders)
})

test('the lifecycle follows from the steps, whatever the order of their rows', () => {
  expect(lifecycleAfter([])).toBe('live_curve')
  expect(lifecycleAfter([step('curve_complete')])).toBe('curve_complete')
  for (const end of ['migrated_graduated', 'migrated_below_grad']) {
    expect(lifecycleAfter([step('curve_complete'), step(end)])).toBe(end)
    expect(lifecycleAfter([step(end), step('curve_complete')])).toBe(end)
    expect(lifecycleAfter([step(end)])).toBe(end)
  }
})
