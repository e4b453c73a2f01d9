// EndTxn requests that a network delivers late, during the next transaction of the same owner.
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { type LateWorld, runLateEnds, runSameEpoch, startLateWorld } from '../../soak/late-ends.ts'

const INVALID_PRODUCER_EPOCH = '47'

describeOwnBroker('on a broker of the older transaction protocol, EndTxn requests that arrive in a later transaction', () => {
  let world: LateWorld
  beforeEach(async () => {
    world = await startLateWorld((await sharedKafka()).registryUrl)
  }, START_MS_MAX)
  afterEach(() => world.stop())

  test('are refused, because each failure bumps the epoch: every commit is there once, in all its partitions', async () => {
    const { late, answers, torn, lost, commits } = await runLateEnds(world, 30, 7)
    // EndTxn requests of the last commits may still be in flight after the awaited ones.
    expect(late).toBeGreaterThanOrEqual(30)
    expect({ answers, torn, lost }).toEqual({ answers: { [INVALID_PRODUCER_EPOCH]: late }, torn: [], lost: [] })
    expect(commits).toBeGreaterThan(10)
  })

  test('tear transactions of a writer that keeps its epoch: such a broker accepts them', async () => {
    const { answers, torn, lost } = await runSameEpoch(world, 20, 7)
    expect(answers['0']).toBeGreaterThan(0)
    expect(torn.length + lost.length).toBeGreaterThan(0)
  })
})
