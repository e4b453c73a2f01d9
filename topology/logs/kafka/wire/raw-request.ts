// Requests that this log encodes by itself, over the connections that kafkajs keeps: the one place that reaches past its public API for
// bytes. Why the wire half is ours (`npm run bench:kafka -- --only wire`, 3 runs in turns, 1,000,000 events, a frame a record, 2 cores):
// - Writing: kafkajs' transactional producer takes 2.1 times the CPU for the same records, .17 to .22 of a whole drain more.
// - Reading: its consumer is no dearer (.7 of ours for frames, .6 for rows), but reads as a member of a group, from where the group stands;
//   a reader here asks for any offset of any partition. `Broker.fetch` leaves out batches that compaction emptied, so that nobody knows
//   where to go on behind them, and compaction keeps the last batch of each producer for that very reason.
import type { Broker } from 'kafkajs'

/** Which request it is, in the words of Kafka's protocol. */
export interface Api {
  readonly apiKey: number
  readonly apiVersion: number
  readonly apiName: string
}

/** What kafkajs has and its types leave out. */
interface Connections {
  readonly connectionPool: {
    send(request: {
      readonly request: Api & { encode(): Promise<{ readonly buf: Buffer; readonly buffer: Buffer }> }
      readonly response: { decode(payload: Buffer): Promise<Buffer>; parse(payload: Buffer): Promise<Buffer> }
    }): Promise<Buffer>
  }
}

const asIs = async (bytes: Buffer): Promise<Buffer> => bytes

/** Sends the body of a request as it is, and gives that of the answer as it came. @throws as kafkajs does where the broker is away */
export const sendRaw = (broker: Broker, api: Api, buffer: Buffer): Promise<Buffer> => {
  const { connectionPool } = broker as unknown as Connections
  return connectionPool.send({
    request: { ...api, encode: async () => ({ buf: buffer, buffer }) },
    response: { decode: asIs, parse: asIs },
  })
}
