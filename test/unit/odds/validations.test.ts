// Validation metrics of a model, from the file of the active model only.
import { modelFileOf } from '../../../processors/odds/model-file.ts'
import { validationsOf } from '../../../topology/odds/validations.ts'
import { FakeOdds } from '../../fakes/odds.ts'
import { givenModelBody } from '../../fixtures/odds-given.ts'

const fileWith = (brier: number): Uint8Array => {
  const body = givenModelBody()
  const { rug_within_300s, true_graduation } = body.heads
  const heads = { rug_within_300s: { ...rug_within_300s, metrics: { test: { brier, by: 'time' } } }, true_graduation }
  return modelFileOf({ ...body, heads })
}
const given = (files: Readonly<Record<string, Uint8Array>>) => {
  const view = new FakeOdds()
  const records = Object.entries(files).map(([id, file]) => ({ id, file: Buffer.from(file) }))
  return { view, validations: validationsOf({ records: () => records }, view) }
}

describe('validation of the active model', () => {
  test('has the metrics of its file, and those of another model once that is active', () => {
    const { view, validations } = given({ one: fileWith(0.1), two: fileWith(0.2) })
    view.stand('rug_within_300s', { modelId: 'one' })
    expect(validations.validation('rug_within_300s')).toEqual({ modelId: 'one', metrics: { test: { brier: 0.1, by: 'time' } } })
    view.stand('rug_within_300s', { modelId: 'two' })
    expect(validations.validation('rug_within_300s')).toMatchObject({ modelId: 'two', metrics: { test: { brier: 0.2 } } })
  })
  test.each([
    ['no model is active', null],
    ['the log has no file of its id', 'three'],
    ['no program can read its file', 'bad'],
  ])('is null if %s', (_name, modelId) => {
    const { view, validations } = given({ one: fileWith(0.1), bad: Buffer.from('{}') })
    view.stand('rug_within_300s', { modelId })
    expect(validations.validation('rug_within_300s')).toBeNull()
  })
})
