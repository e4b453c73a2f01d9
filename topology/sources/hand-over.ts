// A rendezvous queue between two asynchronous parts: the producer waits until its item is consumed.

export interface HandOver<Item> {
  /** Resolves when the consumer asks for the next item; false if no more are wanted. */
  give(item: Item): Promise<boolean>
  /** Ends the items; with a failure, the consumer throws it. */
  end(failure?: unknown): void
  /** Refuses further items: for a consumer that may never have started. */
  refuse(): void
  /** May be iterated once; leaving the loop refuses further items. */
  readonly items: AsyncIterable<Item>
}

type Step<Item> = { readonly item: Item; readonly taken: (isWanted: boolean) => void } | { readonly failure: unknown } | 'end'

export const handOver = <Item>(): HandOver<Item> => {
  const steps: Step<Item>[] = []
  let wake = (): void => {}
  let isOver = false
  const push = (step: Step<Item>): void => {
    steps.push(step)
    wake()
  }
  const refuseRest = (): void => {
    isOver = true
    for (const step of steps.splice(0)) if (typeof step === 'object' && 'taken' in step) step.taken(false)
  }
  async function* take(): AsyncGenerator<Item> {
    try {
      for (;;) {
        const step = steps.shift()
        if (step === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        } else if (step === 'end') return
        else if ('failure' in step) throw step.failure
        else {
          let isTaken = false
          try {
            yield step.item
            isTaken = true
          } finally {
            step.taken(isTaken)
          }
        }
      }
    } finally {
      refuseRest()
    }
  }
  return {
    give: (item) => (isOver ? Promise.resolve(false) : new Promise((taken) => push({ item, taken }))),
    end: (failure) => push(failure === undefined ? 'end' : { failure }),
    refuse: refuseRest,
    items: take(),
  }
}
