import { loadType, readSchema } from '../../../schemas/avro.ts'
import { stateTypeOf } from '../../../topology/engine/state-type.ts'
import { MintRowsByKey } from '../../../topology/views/mint-rows.ts'
import { key } from '../../fixtures/demo-bytes-story.ts'

const schema = readSchema('mint-state')
const state = loadType('mint-state')
const page = (): Buffer => state.toBuffer({})

test('given pages that come out of order while a changelog is read, then the rows that are there can be read at every step', () => {
  const rows = new MintRowsByKey(stateTypeOf(schema, state))
  for (const [offset, at] of [2, 0, 1].entries()) {
    const snapshot = rows.put(key('mint'), at, page(), offset)
    expect(snapshot?.state.launch).toBeNull()
  }
  expect(rows.get(key('mint'))?.version).toBe(2)
})
