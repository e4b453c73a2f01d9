// Sends the curves' chain to a shared log in chunks, from the comparing process, while roles work and are killed.
import { setTimeout as pause } from 'node:timers/promises'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import type { RawRecord } from '../../schemas/types.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { inputsOf } from '../../topology/topology.ts'
import { retried } from './retried.ts'

export const CHUNKS = 40
const { raw } = inputsOf(CURVE_RISK)

/**
 * Pauses `chunkMs` between `CHUNKS` chunks, and waits for brokers that do not respond. Numbers records itself: Kafka's offsets include
 * transaction markers.
 */
export const feedCurves = async (log: Log, bodies: readonly RawRecord['body'][], chunkMs: number): Promise<void> => {
  const owner = await retried(() => log.own('test-capture-alt'))
  const chunk = Math.ceil(bodies.length / CHUNKS)
  for (let at = 0; at < bodies.length; at += chunk) {
    const outputs = bodies.slice(at, at + chunk).map((body, n) => ({
      ...{ topic: raw, partition: 0, key: Buffer.from(CURVE_RISK.chain.name) },
      value: rawRecordCodec.encode({ sequence: at + n + 1, body }),
    }))
    await retried(() => owner.commit({ outputs, inputs: new Map() }))
    if (chunkMs > 0) await pause(chunkMs)
  }
}
