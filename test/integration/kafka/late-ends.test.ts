// EndTxn requests that a network delivers late, during the next transaction of the same owner.
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { type LateBroker, type LateWorld, type ProtocolName, runLateEnds, runSameEpoch, startLateBroker } from '../../soak/late-ends.ts'

const INVALID_PRODUCER_EPOCH = '47'
const PRODUCER_FENCED = '90'

const given = (protocol: ProtocolName): (() => LateWorld) => {
  let broker: LateBroker
  let world: LateWorld
  beforeAll(async () => {
    broker = await startLateBroker((await sharedKafka()).registryUrl, protocol)
  }, START_MS_MAX)
  afterAll(() => broker.stop())
  beforeEach(async () => {
    world = await broker.open()
  })
  afterEach(() => world.close())
  return () => world
}

describeOwnBroker('on a broker of the older transaction protocol, EndTxn requests that arrive in a later transaction', () => {
  const world = given('older')

  test.each([
    ['an owner', false],
    ['a shared writer', true],
  ])(
    'of %s are refused, because each failure bumps the epoch: every commit is there once, in all its partitions',
    async (_whose, isShared) => {
      const { late, answers, torn, lost, commits } = await runLateEnds(world(), 30, 7, isShared)
      // EndTxn requests of the last commits may still be in flight after the awaited ones.
      expect(late).toBeGreaterThanOrEqual(30)
      expect({ answers, torn, lost }).toEqual({ answers: { [INVALID_PRODUCER_EPOCH]: late }, torn: [], lost: [] })
      expect(commits).toBeGreaterThan(10)
    },
  )

  test('tear transactions of a writer that keeps its epoch: such a broker accepts them', async () => {
    const { answers, torn, lost } = await runSameEpoch(world(), 20, 7)
    expect(answers['0']).toBeGreaterThan(0)
    expect(torn.length + lost.length).toBeGreaterThan(0)
  })
})

describeOwnBroker('on a broker of the newer transaction protocol, EndTxn requests that arrive in a later transaction', () => {
  const world = given('newer')

  test.each([
    ['an owner', false],
    ['a shared writer', true],
  ])(
    'of %s are refused, because each transaction has an epoch of its own: every commit is there once, everywhere',
    async (_whose, isShared) => {
      const { late, answers, torn, lost, commits } = await runLateEnds(world(), 30, 7, isShared)
      expect(late).toBeGreaterThanOrEqual(30)
      expect({ answers, torn, lost }).toEqual({ answers: { [PRODUCER_FENCED]: late }, torn: [], lost: [] })
      expect(commits).toBeGreaterThan(10)
    },
  )

  test('tear nothing, even of a writer that never takes over its id again', async () => {
    const { answers, torn, lost } = await runSameEpoch(world(), 20, 7)
    expect({ torn, lost }).toEqual({ torn: [], lost: [] })
    expect(answers[PRODUCER_FENCED]).toBeGreaterThan(0)
  })
})
