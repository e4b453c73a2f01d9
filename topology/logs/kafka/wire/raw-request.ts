// Sends requests that this log encodes itself over kafkajs' connections: the only place that uses kafkajs internals for raw bytes.
// Why we encode them (`npm run bench:kafka -- --only wire`, 3 alternating runs, 1,000,000 events, one frame per record, 2 cores):
// - Writing: kafkajs' transactional producer takes 2.1 times the CPU for the same records: 17 to 22 % more CPU for a whole drain.
// - Reading: its consumer takes less CPU (0.7 times ours for frames, 0.6 for rows), but reads as a group member from the group's offsets;
//   our reads start at any offset of any partition. `Broker.fetch` drops batches that compaction emptied, so that the offset after them is
//   unknown; compaction keeps the last batch of each producer even when it is empty.
import type { Broker } from 'kafkajs'
import { limited } from './limited.ts'

/** Identifies a request type of Kafka's protocol. */
export interface Api {
  readonly apiKey: number
  readonly apiVersion: number
  readonly apiName: string
}

/** Internals of kafkajs that it does not type. */
interface Connections {
  readonly connectionPool: {
    send(request: {
      readonly request: Api & { encode(): Promise<{ readonly buf: Buffer; readonly buffer: Buffer }> }
      readonly response: { decode(payload: Buffer): Promise<Buffer>; parse(payload: Buffer): Promise<Buffer> }
    }): Promise<Buffer>
  }
}

const asIs = async (bytes: Buffer): Promise<Buffer> => bytes

/** Sends a request body unchanged, and returns the raw body of the answer. @throws as kafkajs does if the broker is unreachable */
export const sendRaw = (broker: Broker, api: Api, buffer: Buffer): Promise<Buffer> => {
  const { connectionPool } = broker as unknown as Connections
  return limited(
    connectionPool.send({
      request: { ...api, encode: async () => ({ buf: buffer, buffer }) },
      response: { decode: asIs, parse: asIs },
    }),
  )
}
