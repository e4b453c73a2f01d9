// Which failures are of the file system: only these are reported with the path of a file.
import { openSync, readFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { isOfFiles } from '../../../topology/sources/recording/unreadable.ts'
import { freePort } from '../../tools/free-port.ts'

const failureOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (failure) {
    return failure
  }
}

test('are those of paths and of open files', () => {
  expect(isOfFiles(failureOf(() => readFileSync('/absent/file')))).toBe(true)
  expect(isOfFiles(failureOf(() => writeSync(openSync('/dev/null', 'r'), 'x')))).toBe(true)
})
test('are not those of connections, which have a syscall as well', async () => {
  const port = await freePort()
  const refused = await new Promise<Error>((resolve) => connect(port, '127.0.0.1').once('error', resolve))
  expect(refused).toMatchObject({ syscall: 'connect' })
  expect(isOfFiles(refused)).toBe(false)
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  expect(isOfFiles(reset)).toBe(false)
  expect(isOfFiles(new Error('any other'))).toBe(false)
})
