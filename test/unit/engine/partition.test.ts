import { Partitioners } from 'kafkajs'
import { createPartitioner, murmur2 } from '../../../topology/engine/partition.ts'

const partitionMetadata = (count: number) =>
  Array.from({ length: count }, (_, partitionId) => ({ partitionErrorCode: 0, partitionId, leader: 1, replicas: [1], isr: [1] }))

test("keys map to the partitions of Kafka's default partitioner", () => {
  const kafka = Partitioners.DefaultPartitioner()
  for (const partitions of [1, 3, 12, 256]) {
    const ours = createPartitioner(partitions, (key) => key)
    for (let n = 0; n < 200; n++) {
      const key = `${'k'.repeat(n % 45)}${n}`
      const theirs = kafka({ topic: 't', partitionMetadata: partitionMetadata(partitions), message: { key, value: null } })
      expect(ours(key)).toBe(theirs)
    }
  }
})

test('bytes above 127 hash as in Kafka', () => {
  expect(murmur2(Buffer.from([0xff, 0x80, 0x01, 0xfe, 0x90]))).toBe(murmur2(new Uint8Array([0xff, 0x80, 0x01, 0xfe, 0x90])))
  expect(murmur2(Buffer.from('21'))).toBe(-973932308)
  expect(murmur2(Buffer.from('foobar'))).toBe(-790332482)
})
