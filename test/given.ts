// given(frames).when(frames).thenEmits(...).thenNothing(): one processor on the naive engine.
import type { FrameHeader, Processor, RowKinds } from '../processors/contract.ts'
import { NaiveEngine } from './naive-context.ts'

type Placed = { readonly tx: number; readonly outer: number; readonly inner: number }

/** A frame of a test. */
export interface GivenFrame<Event, Header> {
  readonly header: Header
  readonly events: readonly Event[]
}

/** Checks of the outputs of the frames of `when`. `engine` gives rows and timers afterwards. */
export interface Then<Rows extends RowKinds, Event extends Placed, Output, Header extends FrameHeader> {
  readonly engine: NaiveEngine<Rows, Event, Output, Header>
  /** Outputs in order. */
  readonly outputs: readonly Output[]
  /** Exactly these outputs, each with at least the given fields. */
  thenEmits(...outputs: readonly object[]): Then<Rows, Event, Output, Header>
  thenNothing(): Then<Rows, Event, Output, Header>
}

export const givenOn = <Rows extends RowKinds, Event extends Placed, Output, Header extends FrameHeader>(
  processor: Processor<Rows, Event, Output, Header>,
  ...before: readonly GivenFrame<Event, Header>[]
) => ({
  when: (...frames: readonly GivenFrame<Event, Header>[]): Then<Rows, Event, Output, Header> => {
    const engine = new NaiveEngine(processor)
    for (const { header, events } of before) engine.frame(header, events)
    const outputsBefore = engine.outputs.length
    for (const { header, events } of frames) engine.frame(header, events)
    const outputs = engine.outputs.slice(outputsBefore).map(({ output }) => output)
    const then: Then<Rows, Event, Output, Header> = {
      engine,
      outputs,
      thenEmits: (...expected) => {
        expect(outputs).toMatchObject(expected)
        return then
      },
      thenNothing: () => {
        expect(outputs).toEqual([])
        return then
      },
    }
    return then
  },
})
