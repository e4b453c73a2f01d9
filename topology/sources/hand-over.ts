// Hands items from one asynchronous part to another, one at a time: the giver waits until its item is taken.

export interface HandOver<Item> {
  /** Resolves when the taker asks for the next; false when nothing more is wanted. */
  give(item: Item): Promise<boolean>
  /** No more items; with a failure the taker throws it. */
  end(failure?: unknown): void
  /** Nothing more is taken: for a taker that may never have begun. */
  refuse(): void
  /** To be iterated once; leaving the loop ends the giving. */
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
