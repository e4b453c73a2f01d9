// Places that processes share.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveSlots, takeSlot } from '../../tools/slots.ts'
import { until } from '../../tools/until.ts'

test('at most two hold a place, and the longest waiting one is next', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'slots-')), 'socket')
  const server = await serveSlots(path, 2)
  const held: number[] = []
  const releases = new Map<number, () => void>()
  const asking = [1, 2, 3, 4].map(async (name) => {
    releases.set(name, await takeSlot(path))
    held.push(name)
  })
  await until(() => held.length === 2)
  expect(held).toEqual([1, 2])
  releases.get(2)?.()
  await until(() => held.length === 3)
  expect(held).toEqual([1, 2, 3])
  releases.get(1)?.()
  await Promise.all(asking)
  for (const release of releases.values()) release()
  server.close()
})
