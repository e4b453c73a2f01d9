import { availableParallelism } from 'node:os'
import { type Env, parseSettings } from '../../../topology/cli/settings/settings.ts'

const KAFKA = { KAFKA_BROKERS: 'localhost:9092', SCHEMA_REGISTRY_URL: 'http://localhost:8081' }
const threads = (env: Env): number => parseSettings(env, { source: 'demo' }).foldThreads

test('as many threads fold as are set, at most one per partition', () => {
  expect(threads({ MINTFOLD_FOLD_THREADS: '3' })).toBe(3)
  expect(threads({ MINTFOLD_FOLD_THREADS: '64' })).toBe(4)
  expect(threads({ MINTFOLD_FOLD_THREADS: '64', ...KAFKA })).toBe(12)
  expect(threads({ MINTFOLD_FOLD_THREADS: '64', MINTFOLD_PARTITIONS: '256' })).toBe(64)
})

test('by default one core is left to the main thread, and at least one thread folds', () => {
  expect(threads({ MINTFOLD_PARTITIONS: '256' })).toBe(Math.min(64, Math.max(1, availableParallelism() - 1)))
  expect(threads({ MINTFOLD_PARTITIONS: '1' })).toBe(1)
})

test.each(['0', '65', '1.5', 'all'])('MINTFOLD_FOLD_THREADS=%s is refused with the valid form', (value) => {
  expect(() => threads({ MINTFOLD_FOLD_THREADS: value })).toThrow(
    `MINTFOLD_FOLD_THREADS=${JSON.stringify(value)} is wrong: it must be a whole number from 1 to 64`,
  )
})
