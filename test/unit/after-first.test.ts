// Work that starts with the first record of its input.

import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { AfterFirst } from '../../topology/runtime/after-first.ts'
import { EVENTS, out, ROWS, SETUP, write } from '../contract/log-topics.ts'

const given = () => {
  const log = createMemoryLog(SETUP)
  const did: string[] = []
  const work = {
    restore: async () => void did.push('restore'),
    run: async () => void did.push('run'),
    stop: () => void did.push('stop'),
    isCaughtUp: false,
    progress: 3,
  }
  return { log, did, work: new AfterFirst(log, EVENTS, work) }
}
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('waits, caught up, without a record; a record of another topic changes nothing, one of its own topic starts it', async () => {
  const { log, did, work } = given()
  await work.restore()
  let isOver = false
  const run = work.run().then(() => {
    isOver = true
  })
  await turns()
  expect([did, isOver, work.isCaughtUp]).toEqual([[], false, true])
  const owner = await log.own('a')
  await write(owner, [out(ROWS, 0, 'k', '1')])
  await turns()
  expect([did, isOver]).toEqual([[], false])
  await write(owner, [out(EVENTS, 0, 'k', '1')])
  await turns()
  expect([did, isOver, work.isCaughtUp]).toEqual([['restore', 'run'], true, false])
  await run
})
test('restores at once and only once if a record is already there', async () => {
  const { log, did, work } = given()
  await write(await log.own('a'), [out(EVENTS, 0, 'k', '1')])
  await work.restore()
  await work.run()
  expect([did, work.progress]).toEqual([['restore', 'run'], 3])
})
test('ends its run without work if stopped while it waits', async () => {
  const { did, work } = given()
  const run = work.run()
  await turns()
  work.stop()
  await run
  expect(did).toEqual(['stop'])
})
