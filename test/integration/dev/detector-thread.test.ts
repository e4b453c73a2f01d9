// The thread that runs a detector: terminated if the detector does not return, and ready for the next text.
import { writeFileSync } from 'node:fs'
import { DetectorThread, type EvaluationResult } from '../../../topology/backtest/dev/detector-thread.ts'
import { DETECTOR_THREAD } from '../../../topology/cli/threads/threads.ts'
import { until } from '../../tools/until.ts'
import { frameOf, stretchOf } from '../../unit/backtest/dev/given-stretch.ts'
import { callsOf, givenFiles, sourceOf } from '../../unit/backtest/given-file.ts'

const calls = callsOf({ mints: 3, events: 5 })
const stretch = stretchOf()
for (const [at, rows] of calls.entries())
  stretch.take(frameOf(rows.position.number, rows.curve.lastAt, [rows], at === 0 ? calls.slice(0, 3) : []))

const ENDLESS = '({ curve }) => { while (curve.buys === 4) ; return undefined }'
const FOURTH = '({ curve }) => (curve.buys === 4 ? { buys: 4 } : undefined)'

test('terminates a detector that never returns, names it and where it was called, and runs the next text in a new thread', async () => {
  const path = givenFiles({ 'mine.ts': sourceOf(ENDLESS) })
  const messages: EvaluationResult[] = []
  const thread = new DetectorThread({
    ...{ entry: DETECTOR_THREAD, path, chain: 'solana', delayS: 0, silentMsMax: 700 },
    receive: (result) => void messages.push(result),
  })
  const hears = (requestNumber: number, type: EvaluationResult['type']): Promise<void> =>
    until(() => messages.some((result) => result.requestNumber === requestNumber && result.type === type), {
      seen: () => JSON.stringify(messages),
    })
  const first = thread.evaluate(stretch.kept())
  await hears(first, 'failed')
  const { number, tx, outer, inner } = calls.find(({ curve }) => curve.buys === 4)?.position ?? { number: 0, tx: 0, outer: 0, inner: 0 }
  expect(messages.at(-1)).toEqual({
    ...{ type: 'failed', requestNumber: first },
    message: `detector mine does not return: at solana:${number}.${tx}.${outer}.${inner} it ran for 1 s and was stopped. Save a version that returns.`,
  })
  thread.extend(stretch.kept())
  writeFileSync(path, sourceOf(FOURTH))
  const second = thread.evaluate(stretch.kept())
  await hears(second, 'answered')
  expect(messages.at(-1)).toMatchObject({ answer: { findings: [{ evidence: '{"buys":4}' }, {}, {}], launches: 3 }, calls: 12 })
  thread.extend(stretch.kept())
  await until(() => messages.filter(({ type }) => type === 'answered').length === 2)
  expect(messages.filter(({ type }) => type === 'failed')).toHaveLength(1)
  await thread.end()
})

test('reports what is wrong with a detector of the other chain', async () => {
  const path = givenFiles({
    'mine.ts': sourceOf(FOURTH).replaceAll('mintDetector', 'curveDetector').replace('{ curve }', '{ figures: curve }'),
  })
  const reason = await new Promise<string>((resolve) => {
    const thread = new DetectorThread({
      ...{ entry: DETECTOR_THREAD, path, chain: 'solana', delayS: 0 },
      receive: (result) => {
        if (result.type === 'failed') void thread.end().then(() => resolve(result.message))
      },
    })
    thread.evaluate(stretch.kept())
  })
  expect(reason).toBe(`${path} is a detector of curves, but the tape is of the chain solana`)
})
