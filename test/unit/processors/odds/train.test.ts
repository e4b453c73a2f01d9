// Training on launches with known odds.
import { readModel } from '../../../../processors/odds/model.ts'
import { type ModelBody, modelFileOf } from '../../../../processors/odds/model-file.ts'
import { TrainingRows } from '../../../../processors/odds/train/rows.ts'
import { type Training, trainModel } from '../../../../processors/odds/train/train.ts'
import { KNOWN_AFTER_S, knownMarket, MARKET_FROM_S } from '../../../fixtures/odds-market.ts'

const HOUR_S = 3_600
const OVER_S = 40 * HOUR_S

const trainedOn = (seed: number, launches: number): Training => {
  const set = new TrainingRows()
  for (const row of knownMarket(seed, launches, OVER_S)) set.add(row)
  const steps = trainModel(set, MARKET_FROM_S + OVER_S + KNOWN_AFTER_S)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
const bodyOf = (training: Training): ModelBody => {
  if (!training.ok) throw new Error(training.reason)
  return training.body
}

describe('a model of launches with known odds', () => {
  const body = bodyOf(trainedOn(1, 4_000))
  const figures = (head: keyof ModelBody['heads'], name: string): Record<string, number> =>
    body.heads[head].metrics[name] as Record<string, number>

  test('gives the odds by which launches were drawn', () => {
    const model = readModel(modelFileOf(body))
    let [rug, graduation, n] = [0, 0, 0]
    for (const { judgement, truth } of knownMarket(2, 500, OVER_S)) {
      rug += Math.abs((model.score('rug_within_300s', judgement) ?? 0) / 1e6 - truth.rug)
      graduation += Math.abs((model.score('true_graduation', judgement) ?? 0) / 1e6 - truth.graduation)
      n++
    }
    expect(rug / n).toBeLessThan(0.06)
    expect(graduation / n).toBeLessThan(0.06)
  })
  test.each(['rug_within_300s', 'true_graduation'] as const)('%s is calibrated on later launches, and beats the table', (head) => {
    const test = figures(head, 'test')
    expect(test.n).toBeGreaterThan(1_500)
    expect(test.ece).toBeLessThan(3 * (test.ece_by_chance as number))
    expect(test.brier_skill).toBeGreaterThan(0.2)
    expect(test.discrimination).toBeGreaterThan(test.table_discrimination as number)
    expect(test.skill_against_table).toBeGreaterThan(0)
    expect(figures(head, 'age_10_s').n).toBe((test.n as number) / 2)
    expect(Object.values(figures(head, 'skill_by_day')).every((skill) => skill > 0)).toBe(true)
  })
  test('has consecutive windows, separated by the time until an outcome', () => {
    const { train, calibration, test } = body.data
    expect(calibration.fromS - train.toS).toBe(2 * HOUR_S)
    expect(test.fromS - calibration.toS).toBe(2 * HOUR_S)
    expect(body.data.left.purged).toBe(8_000 - train.rows - calibration.rows - test.rows)
  })
  test('excludes known creators in its creator-disjoint variant', () => {
    const [all, disjoint] = [figures('rug_within_300s', 'test'), figures('rug_within_300s', 'creator_disjoint')]
    expect(disjoint.n).toBeGreaterThan(0)
    expect(disjoint.n).toBeLessThan((all.n as number) / 4)
  })
  test('gives the same file for the same rows', () => {
    const small = () => Buffer.from(modelFileOf(bodyOf(trainedOn(3, 1_600)))).toString()
    expect(small()).toBe(small())
  })
})

test.each([
  [0, 'no launch with a judgement has settled'],
  [500, 'launches of the train window have settled; 300 are needed'],
])('no model is made of %i launches, with the reason', (launches, message) => {
  const training = trainedOn(1, launches)
  expect(training).toEqual({ ok: false, reason: expect.stringContaining(message) })
})
