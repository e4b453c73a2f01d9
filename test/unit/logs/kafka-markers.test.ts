// Answers of a leader that refuses to write markers. The cluster has one broker, which gives the test's answer to every request.
import type { Cluster } from 'kafkajs'
import { refused } from '../../../topology/logs/kafka/failures.ts'
import { type OpenIn, writeMarkers } from '../../../topology/logs/kafka/owners/markers.ts'
import { Writer } from '../../../topology/logs/kafka/wire/wire-format.ts'

const OPEN: OpenIn = { topicName: 'events', partition: 3, epoch: 7, coordinatorEpoch: 1 }
const [UNAUTHORIZED, OLD_EPOCH] = [31, 47]

/** The answer to one marker: no tags, one producer with one topic with one partition. */
const answerWith = (errorCode: number): Buffer => {
  const answer = new Writer(100)
  answer.noTags()
  answer.unsigned(2)
  answer.int64(9n)
  answer.unsigned(2)
  answer.compactString(OPEN.topicName)
  answer.unsigned(2)
  answer.int32(OPEN.partition)
  answer.int16(errorCode)
  for (let tags = 0; tags < 4; tags++) answer.noTags()
  return answer.buffer.subarray(0, answer.at)
}
const clusterWith = (errorCode: number): Cluster => {
  const broker = { connectionPool: { send: async () => answerWith(errorCode) } }
  const partial = { findLeaderForPartitions: () => ({ '1': [OPEN.partition] }), findBroker: async () => broker }
  return partial as unknown as Cluster
}

describe('markers', () => {
  test('that the leader writes', async () => {
    await expect(writeMarkers(clusterWith(0), 9n, [OPEN], 'committed')).resolves.toBeUndefined()
  })
  test('that the login may not write: the error says where they are missing and which right is needed', async () => {
    const failure = await writeMarkers(clusterWith(UNAUTHORIZED), 9n, [OPEN], 'committed').catch((thrown: unknown) => thrown)
    const { message } = refused('the takeover of a', failure)
    expect(message).toContain('a broker lost the markers of a transaction in events/3, and the login may not write them')
    expect(message).toContain('it needs ALTER on the cluster')
  })
  test('of an epoch that is over: the error names the partition', async () => {
    await expect(writeMarkers(clusterWith(OLD_EPOCH), 9n, [OPEN], 'aborted')).rejects.toThrow(
      'INVALID_PRODUCER_EPOCH in the marker in events/3',
    )
  })
})
