// The decoder as a task of the engine: its known curves follow the canonical branch.
import { alt } from '../../../processors/chains/alt/chain.ts'
import type { DecodeOutput } from '../../../processors/chains/decoder.ts'
import { readSchema } from '../../../schemas/avro.ts'
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import { tickOf } from '../../../schemas/position.ts'
import type { AltDecodeState, AltTapeEvent, RawFrame, RawRecord } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { stateTypeOf } from '../../../topology/engine/rows/state-type.ts'
import { Task } from '../../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { CURVE, frame, launchFrame, log, transaction, WALLET } from '../../unit/processors/alt/fixtures.ts'

const STATE = 'alt-decode-state'
const wired = LAUNCH_RISK.decode(1)

const newTask = () => {
  const fold = {
    processor: alt.decoder.processor,
    state: stateTypeOf(readSchema(STATE)),
    ...{ changelog: wired.changelog, writes: [wired.input] },
    collect: (_header: unknown, outputs: readonly { readonly output: unknown }[]) =>
      outputs.flatMap(({ output }) => {
        const decoded = output as DecodeOutput<AltTapeEvent>
        return decoded.type === 'event'
          ? [{ topic: wired.input, partition: 0, key: Buffer.alloc(0), value: Buffer.from(decoded.event.type) }]
          : []
      }),
  }
  const task = new Task(
    {
      ...{ name: 'decode-alt', input: wired.input, changelog: wired.changelog, writes: [], folds: [fold], open: wired.open },
      ...{ positionOf: (_frame: RawFrame, header) => tickOf('alt', header.number), reject: () => [], retract: () => [] },
    },
    0,
    DEFAULT_LIMITS,
  )
  task.begin({ input: 0, exchange: 0 })
  let offset = 0
  return {
    add(...bodies: readonly RawRecord['body'][]): void {
      for (const body of bodies) {
        task.step({ offset, key: Buffer.alloc(0), value: rawRecordCodec.encode({ sequence: offset + 1, body }) })
        offset++
      }
    },
    /** Types of the events since the last call. */
    events: (): string[] =>
      task
        .takeCommit()
        .outputs.filter(({ topic }) => topic === wired.input)
        .map(({ value }) => Buffer.from(value ?? []).toString()),
    state(): AltDecodeState {
      const store = task.store(alt.decoder.processor.name)
      return store.type.decode(store.pagesOf('alt')[0]?.value as Buffer) as unknown as AltDecodeState
    },
  }
}

const trade = (number: number): RawFrame => frame(number, transaction(1, [log(5, CURVE, 'CurveBuy', WALLET, WALLET, 100n, 1_000n, 1n, 1n)]))

test('when a fork rolls back a launch, the curve is unknown until the canonical branch launches it', () => {
  const task = newTask()
  const root = frame(10)
  task.add(root, launchFrame(11), trade(12))
  expect(task.events()).toEqual(['launch', 'trade'])
  expect(task.state().contracts).toHaveLength(2)
  task.add({ type: 'revert', chain: 'alt', number: 10, hash: root.hash }, trade(11))
  expect(task.events()).toEqual([])
  expect(task.state()).toMatchObject({ contracts: [], tip: { number: 11, frames: 2 }, timers: [] })
  task.add(launchFrame(12), trade(13))
  expect(task.events()).toEqual(['launch', 'trade'])
})
