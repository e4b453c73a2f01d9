// Requests that this log encodes by itself, over the connections that kafkajs keeps.
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
