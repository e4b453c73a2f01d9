// The id of a membership in the data directory, for the start after a kill.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { openMember } from '../../../topology/cli/wiring/open-member.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

const dir = mkdtempSync(join(tmpdir(), 'mintfold-member-'))
afterAll(() => removeDirectory(dir))

const ID = 'mintfold-8f6a1c1e-1f0a-4a52-9a0e-0c8d0b6a7d11'

test('the next start on the directory finds it, of this group only, and not after a leave', async () => {
  const first = new Closing()
  const memory = await openMember(dir, 'process', first)
  expect(memory?.read()).toBeUndefined()
  memory?.write(ID)
  await first.run()
  const second = new Closing()
  const again = await openMember(dir, 'process', second)
  expect(again?.read()).toBe(ID)
  expect((await openMember(dir, 'sales.wallet', second))?.read()).toBeUndefined()
  again?.write(undefined)
  expect(again?.read()).toBeUndefined()
  await second.run()
})

test('another process with the directory gets none: it would end the membership of the first', async () => {
  const closing = new Closing()
  expect(await openMember(dir, 'process', closing)).toBeDefined()
  expect(await openMember(dir, 'process', new Closing())).toBeUndefined()
  await closing.run()
})

test('a damaged file counts as none', async () => {
  const closing = new Closing()
  const memory = await openMember(dir, 'process', closing)
  for (const text of ['', 'two words', '../../etc', 'a'.repeat(301), '\u0000']) {
    writeFileSync(join(dir, 'members/process/member'), text)
    expect([text, memory?.read()]).toEqual([text, undefined])
  }
  await closing.run()
})

test('an id that cannot be written keeps the former one, and no member fails for it', async () => {
  const closing = new Closing()
  const memory = await openMember(dir, 'process', closing)
  memory?.write(ID)
  mkdirSync(join(dir, 'members/process/member.tmp'))
  expect(() => memory?.write('another')).not.toThrow()
  expect(memory?.read()).toBe(ID)
  await closing.run()
})
