// Whether a program can serve the rows that another version stored.
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { isReadable, NO_REBUILD, schemasOf, storesOwner, versionsOf, writeStoresUpdate } from '../../../topology/versions/stores-record.ts'
import { SETUP } from '../../contract/log-topics.ts'

const { name: chain } = LAUNCH_RISK.chain
const SCHEMAS = schemasOf(LAUNCH_RISK)

/** Stores of this program's versions, whose row schemas were `schemas`. */
const isReadableWith = async (schemas: typeof SCHEMAS): Promise<boolean> => {
  const log = createMemoryLog(SETUP)
  const stores = { versions: versionsOf(LAUNCH_RISK), state: 'whole' as const, redrive: 0, revision: 0, rolledBack: [] }
  const owner = await log.own(storesOwner(chain))
  await writeStoresUpdate(owner, LAUNCH_RISK.operations.rebuild.writes, chain, { stores, rebuild: { ...NO_REBUILD, schemas } })
  return isReadable(log, LAUNCH_RISK)
}
const changed = (change: (schema: string) => string) => SCHEMAS.map((one) => ({ ...one, schema: change(one.schema) }))

test('rows are readable if their schemas are equal, whatever the docs say', async () => {
  expect(await isReadableWith(SCHEMAS)).toBe(true)
  const others = changed((schema) => schema.replaceAll(/"doc":"[^"]*"/g, '"doc":"another"'))
  expect(others).not.toEqual(SCHEMAS)
  expect(await isReadableWith(others)).toBe(true)
})

test('rows are not readable if a field has another name', async () => {
  expect(await isReadableWith(changed((schema) => schema.replace('"name":"timers"', '"name":"alarms"')))).toBe(false)
})
