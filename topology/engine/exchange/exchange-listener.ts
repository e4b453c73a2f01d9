// Adapts a task to the listener interface of the exchange reader.
import type { FrameHeader } from '../../../processors/contract.ts'
import type { Task } from '../task.ts'
import type { Listener } from './exchange-reader.ts'

export const listenerOf = <Event, Header extends FrameHeader>(
  task: Task<Event, Header>,
  { isWaiting, wake }: { readonly isWaiting: () => boolean; readonly wake: () => void },
): Listener => ({
  partition: task.partition,
  get oldestNeeded() {
    return task.exchange?.oldestNeeded ?? 0
  },
  get hasRoom() {
    return task.hasRoom
  },
  get isWaiting() {
    return isWaiting()
  },
  receive: (record) => task.stepExchange(record),
  wake,
})
