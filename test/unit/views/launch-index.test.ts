// Launches by time, and by whoever launched: what was forgotten is in neither, and no wallet stays without launches.
import { LaunchIndex } from '../../../topology/views/launch-index.ts'
import { key, launchRow } from '../query-api/given-mint.ts'

const [USER, CREATOR] = [key(1), key(2)]
const given = () => {
  const index = new LaunchIndex()
  index.add(key(11), launchRow({ user: USER, creator: USER, at: 100, number: 10 }))
  index.add(key(12), launchRow({ user: USER, creator: CREATOR, at: 300, number: 30 }))
  index.add(key(13), launchRow({ user: USER, creator: CREATOR, creatorIsWallet: false, at: 200, number: 20 }))
  return index
}

test('given launches, then they are listed newest first, by time and by each wallet of their dev sets', () => {
  const index = given()
  expect([...index.since(0)]).toEqual([key(12), key(13), key(11)])
  expect(index.by(USER)).toEqual([key(12), key(13), key(11)])
  expect(index.by(CREATOR)).toEqual([key(12)])
  expect(index.by(key(3))).toEqual([])
})

test('given launches that go, then they are in no list any more, and come back where they were', () => {
  const index = given()
  index.remove(key(12))
  expect([index.by(USER), index.by(CREATOR)]).toEqual([[key(13), key(11)], []])
  index.add(key(12), launchRow({ user: USER, creator: CREATOR, at: 300, number: 30 }))
  index.add(key(12), launchRow({ user: USER, creator: CREATOR, at: 300, number: 30 }))
  expect([index.by(USER), index.by(CREATOR)]).toEqual([[key(12), key(13), key(11)], [key(12)]])
})
