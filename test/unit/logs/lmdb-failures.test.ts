// Errors of lmdb as environment failures. Full disks are also tested for real: test/integration/lmdb-full-disk.

import { constants, tmpdir } from 'node:os'
import { openFailure, writeFailure } from '../../../topology/data-dir/lmdb-failures.ts'
import { code } from '../../contract/log-topics.ts'

const thrown = (number: number): Error => Object.assign(new Error('the message of lmdb'), { code: number })
const rejected = (reason: Error): object => ({ message: 'see commitError', commitError: Promise.reject(reason) })
const MORE_THAN_ANY_DISK_BYTES = 2 ** 60

describe('a failed write', () => {
  test.each([
    ['ENOSPC', constants.errno.ENOSPC],
    ['EDQUOT', constants.errno.EDQUOT],
    ['MDB_MAP_FULL', -30792],
  ])('%s is a full disk', async (_, number) => {
    expect(await writeFailure(rejected(thrown(number)), tmpdir(), 0)).toEqual(code('log_full'))
  })
  test('EIO is a full disk if there is no space, and otherwise a broken one', async () => {
    const eio = thrown(constants.errno.EIO)
    expect(await writeFailure(rejected(eio), tmpdir(), MORE_THAN_ANY_DISK_BYTES)).toEqual(code('log_full'))
    expect(await writeFailure(rejected(eio), tmpdir(), 0)).toMatchObject({ code: 'log_io', retriable: false, cause: eio })
  })
  test('any other error keeps the message of lmdb', async () => {
    const failure = await writeFailure(thrown(-30795), '/somewhere', 0)
    expect(failure).toMatchObject({ code: 'log_io', message: 'write of the log in /somewhere failed: the message of lmdb' })
  })
})

test('a failed opening keeps an existing environment failure', async () => {
  const full = await writeFailure(thrown(constants.errno.ENOSPC), tmpdir(), 0)
  expect(await openFailure(full, tmpdir())).toBe(full)
  expect(await openFailure(thrown(constants.errno.EACCES), '/d')).toMatchObject({ code: 'log_io', facts: { dir: '/d', operation: 'open' } })
})
