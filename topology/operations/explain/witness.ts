// Wraps one processor of the production folds with a witness, called before and after every event, timer and fact of the processor's keys.
import type { At, Context, FactBody, FactType, Processor, RowKinds } from '../../../processors/contract.ts'
import type { TapeHeader } from '../../../processors/tape.ts'
import type { ChainEvent } from '../../../schemas/record-forms.ts'
import type { Fact } from '../../../schemas/types.ts'
import type { Kind } from '../../engine/rows/state-type.ts'
import type { Store } from '../../engine/rows/store.ts'
import type { FoldsDefinition } from '../../topology.ts'

/** The reason for a call of a processor. */
type Cause<Event> =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'timer'; readonly name: string }
  | { readonly type: 'fact'; readonly fact: FactBody['type']; readonly fromKey: string }

/** The rows of the current key, read only. They change in place: copy what must be kept. */
export type RowsNow = Pick<Context<RowKinds, unknown>, 'key' | 'read' | 'rows'>

/** One call of a processor. */
export interface Call<Event> {
  readonly rows: RowsNow
  readonly at: At<TapeHeader>
  readonly cause: Cause<Event>
}

/** Sees the rows of a key right before and after each call. It must not change them. */
export interface Witness<Event> {
  before(call: Call<Event>): void
  after(call: Call<Event>): void
}

type AnyProcessor<Event> = Processor<RowKinds, Event, unknown, TapeHeader, FactType>
type Witnessed<Event extends ChainEvent> = { folds(partitions: number): FoldsDefinition<Event> }

/** The topology with a witness around the named processor. Rows and outputs are unchanged. */
export const witnessed = <Event extends ChainEvent, T extends Witnessed<Event>>(topology: T, name: string, witness: Witness<Event>): T => ({
  ...topology,
  folds: (partitions: number) => {
    const definition = topology.folds(partitions)
    const folds = definition.folds.map((fold) =>
      fold.processor.name === name ? { ...fold, processor: observed(fold.processor as AnyProcessor<Event>, witness) } : fold,
    )
    return { ...definition, folds }
  },
})

const observed = <Event>(processor: AnyProcessor<Event>, witness: Witness<Event>): AnyProcessor<Event> => {
  const around = (call: Call<Event>, work: () => void): void => {
    witness.before(call)
    work()
    witness.after(call)
  }
  const { apply, onFact } = processor
  return {
    ...processor,
    ...(apply && {
      apply: (ctx, event, at) => around({ rows: ctx, at, cause: { type: 'event', event } }, () => apply(ctx, event, at)),
    }),
    ...(onFact && {
      onFact: (ctx, fact: Fact, at) =>
        around({ rows: ctx, at, cause: { type: 'fact', fact: fact.body.type, fromKey: fact.fromKey } }, () => onFact(ctx, fact, at)),
    }),
    onTime: (ctx, name, at) => around({ rows: ctx, at, cause: { type: 'timer', name } }, () => processor.onTime(ctx, name, at)),
  }
}

/** The rows of a key in a store, between frames. */
export const rowsIn = (store: Store, key: string): Pick<RowsNow, 'read' | 'rows'> => {
  const aggregate = store.find(key)
  const kindOf = (name: string): Kind => store.type.byName.get(name) as Kind
  return {
    read: (kind, id) => aggregate && store.read(aggregate, kindOf(kind), id),
    rows: (kind) => (aggregate === undefined ? [] : store.rows(aggregate, kindOf(kind))),
  }
}
