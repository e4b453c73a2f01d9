// big_coin: the cost of a coin with 1,000, 50,000 and 1,000,000 wallets: a sell by its largest holder, the commit after it, and its card.
import type { TapeHeader } from '../../processors/tape.ts'
import type { Balance, TapeEvent } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { parsePageKey } from '../../topology/engine/rows/state-type.ts'
import { Task } from '../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { MintRowsByKey } from '../../topology/views/mint-rows.ts'
import { mintState } from '../fixtures/mint-state.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { mintEvidence } from '../shipped.ts'
import { CREATOR, frame, handedOut, Market, MILLION, MINT, numbered, T0, wallet } from '../unit/processors/mint/market.ts'
import type { Bench } from './bench.ts'

const SIZES = [1_000, 50_000, 1_000_000]
const PER_FRAME = 1_000
const MEASURED = 200

type FoldTask = Task<TapeEvent, TapeHeader>

const handOut = (n: number): Balance => handedOut(numbered(n), 1_000_000 + n, 1_000 + (n % PER_FRAME))

interface Figures {
  readonly wallets: number
  readonly rows: number
  /** Microseconds, mean and maximum. */
  readonly sell: { readonly mean_us: number; readonly max_us: number }
  readonly commit: { readonly mean_us: number; readonly max_us: number; readonly mean_bytes: number }
  /** Decoding and building the card. */
  readonly card_ms: number
}

const figuresOf = (wallets: number): Figures => {
  const task: FoldTask = new Task(LAUNCH_RISK.folds(1), 0, DEFAULT_LIMITS)
  task.begin({ input: 0, exchange: 0 })
  const market = new Market()
  const view = new MintRowsByKey(mintState)
  let offset = 0
  const commit = (): number => {
    let bytes = 0
    for (const { topic, key, value } of task.takeCommit().outputs) {
      bytes += key.length + (value?.length ?? 0)
      if (topic.name === TOPICS.mintChangelog.name)
        view.put(MINT, parsePageKey(key).page, value === null ? null : Buffer.from(value), offset++)
    }
    return bytes
  }
  task.fold(
    frame(0, [market.launch(), market.buy(CREATOR, 100 * MILLION), ...[1, 2, 3, 4, 5, 6].map((n) => market.buy(wallet(n), n * MILLION))]),
  )
  let slot = 1
  for (let from = 0; from < wallets; from += PER_FRAME) {
    task.fold(
      frame(
        slot++,
        Array.from({ length: Math.min(PER_FRAME, wallets - from) }, (_, i) => handOut(from + i)),
      ),
    )
    commit()
  }
  const [sells, commits, bytes]: [number[], number[], number[]] = [[], [], []]
  for (let i = 0; i < MEASURED; i++) {
    const one = frame(slot++, [market.at(slot).sell(wallet(6), 1_000), handOut(wallets + i)])
    sells.push(timed(() => task.fold(one)))
    commits.push(timed(() => bytes.push(commit())))
  }
  const rows = view.get(MINT)
  const cards = Array.from({ length: 20 }, () => {
    rows?.drop()
    return timed(() => mintEvidence(MINT, (rows as NonNullable<typeof rows>).state, { asOf: T0 + slot, gap: null }))
  })
  return {
    wallets,
    rows: rows?.state.holders.length ?? 0,
    sell: spread(sells),
    commit: { ...spread(commits), mean_bytes: Math.round(mean(bytes)) },
    card_ms: Math.round(mean(cards) / 10) / 100,
  }
}

/** Microseconds that the action takes. */
const timed = (action: () => unknown): number => {
  const startedMs = performance.now()
  action()
  return (performance.now() - startedMs) * 1_000
}
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
const spread = (values: readonly number[]): Figures['sell'] => ({
  mean_us: Math.round(mean(values)),
  max_us: Math.round(Math.max(...values)),
})

export const bench: Bench = {
  name: 'big_coin',
  unit: 'us',
  run: async () => {
    const figures = SIZES.map(figuresOf)
    return { value: figures.at(-1)?.sell.mean_us ?? 0, detail: { sizes: figures, measured_sells: MEASURED } }
  },
}
