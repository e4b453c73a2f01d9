// The rules are deterministic: against the demo's truth every flag, label and role is right, and none is missing.
import { gradeCurves } from '../tools/grade/curve-grades.ts'
import { gradeDemo } from '../tools/grade/demo-grades.ts'

test('over 80 minutes of the demo precision and recall are 1 wherever a rule fired or should have', () => {
  const { launches, grades } = gradeDemo(4 / 3, 4, 2)
  expect(grades.flatMap(({ misses }) => misses)).toEqual([])
  expect(grades.filter(({ predicted, true: right, hits }) => predicted !== hits || right !== hits)).toEqual([])
  expect(launches).toBeGreaterThan(100)
  const spoken = grades.filter(({ hits }) => hits > 0).map(({ rule }) => rule)
  for (const rule of ['creator_sold', 'bundle_dumped', 'curve_drained', 'outcome rugged', 'bundle', 'warm_launch', 'funded_recently'])
    expect(spoken).toContain(rule)
  for (const rule of ['insider rule a', 'insider rule b', 'insider rule c', 'creator launched before']) expect(spoken).toContain(rule)
})

test('over 80 minutes of the demo of curves every flag, label and count of a curve is right', async () => {
  const { launches, grades } = await gradeCurves(4 / 3, 4, 7)
  expect(grades.flatMap(({ misses }) => misses)).toEqual([])
  expect(launches).toBeGreaterThan(300)
  for (const { rule, hits } of grades) expect([rule, hits > 3]).toEqual([rule, true])
})
