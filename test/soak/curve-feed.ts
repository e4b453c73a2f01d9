// The chain of curves on a shared log, sent bit by bit by the process that compares, while roles work and are killed.
import { setTimeout as pause } from 'node:timers/promises'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import type { RawRecord } from '../../schemas/types.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { inputsOf } from '../../topology/topology.ts'

const CHUNKS = 40
const { raw } = inputsOf(CURVE_RISK)

/** `chunkMs` apart. Offsets on Kafka count markers too: what was sent is counted here. */
export const feedCurves = async (log: Log, bodies: readonly RawRecord['body'][], chunkMs: number): Promise<void> => {
  const owner = await log.own('test-capture-alt')
  const chunk = Math.ceil(bodies.length / CHUNKS)
  for (let at = 0; at < bodies.length; at += chunk) {
    const outputs = bodies.slice(at, at + chunk).map((body, n) => ({
      ...{ topic: raw, partition: 0, key: Buffer.from(CURVE_RISK.chain.name) },
      value: rawRecordCodec.encode({ sequence: at + n + 1, body }),
    }))
    await owner.commit({ outputs, inputs: new Map() })
    if (chunkMs > 0) await pause(chunkMs)
  }
}
