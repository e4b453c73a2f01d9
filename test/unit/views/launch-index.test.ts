// Launches by time and by launching wallet: evicted ones are in neither, and wallets without launches are dropped.
import { devSetOf } from '../../../processors/mint/fold/holdings.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { LaunchRow } from '../../../schemas/types.ts'
import { LaunchIndex } from '../../../topology/views/launch-index.ts'
import { key, launchRow } from '../query-api/given-mint.ts'

const [USER, CREATOR] = [key(1), key(2)]
const add = (index: LaunchIndex, mint: Key, launch: LaunchRow): void => index.add(mint, launch, devSetOf(launch))
const given = () => {
  const index = new LaunchIndex()
  add(index, key(11), launchRow({ user: USER, creator: USER, at: 100, number: 10 }))
  add(index, key(12), launchRow({ user: USER, creator: CREATOR, at: 300, number: 30 }))
  add(index, key(13), launchRow({ user: USER, creator: CREATOR, creatorIsWallet: false, at: 200, number: 20 }))
  return index
}

test('launches are listed newest first, by time and by each wallet of their dev sets', () => {
  const index = given()
  expect([...index.since(0)]).toEqual([key(12), key(13), key(11)])
  expect(index.by(USER)).toEqual([key(12), key(13), key(11)])
  expect(index.by(CREATOR)).toEqual([key(12)])
  expect(index.by(key(3))).toEqual([])
})

test('removed launches are in no list, and return at their positions', () => {
  const index = given()
  index.remove(key(12))
  expect([index.by(USER), index.by(CREATOR)]).toEqual([[key(13), key(11)], []])
  add(index, key(12), launchRow({ user: USER, creator: CREATOR, at: 300, number: 30 }))
  add(index, key(12), launchRow({ user: USER, creator: CREATOR, at: 300, number: 30 }))
  expect([index.by(USER), index.by(CREATOR)]).toEqual([[key(12), key(13), key(11)], [key(12)]])
})
