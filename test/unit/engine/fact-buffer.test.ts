// Buffer of repartition messages in a task: counting, completeness and removal.
import { FactBuffer } from '../../../topology/engine/exchange/fact-buffer.ts'
import { FACT } from '../../fixtures/exchange-records.ts'

test('dropping the batches of one writer keeps those of the other', () => {
  const buffer = new FactBuffer(2)
  buffer.put(3, 0, [FACT])
  buffer.put(3, 1, [FACT, FACT])
  buffer.put(7, 1, [])
  buffer.put(7, 1, [FACT])
  expect([buffer.weight, buffer.weightOf(3), buffer.weightOf(7), buffer.isWhole(3), buffer.isWhole(7)]).toEqual([6, 5, 1, true, false])
  buffer.dropOf(1)
  expect([buffer.weight, buffer.weightOf(3), buffer.weightOf(7), buffer.isWhole(3)]).toEqual([2, 2, 0, false])
  expect([buffer.missing(3), buffer.missing(7), buffer.facts(3)]).toEqual([[1], [0, 1], [FACT]])
  buffer.drop(3)
  expect([buffer.weight, buffer.missing(3)]).toEqual([0, [0, 1]])
})
