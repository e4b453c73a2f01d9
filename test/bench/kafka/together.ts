// Combines the figures of the processes of a run into those of the run.
export type Figures = Readonly<Record<string, number>>

const EARLIEST = new Set(['from_ms', 'broker_from_s'])
const LATEST = new Set(['to_ms', 'broker_to_s', 'joined_ms', 'load1'])

const combined = (name: string, values: readonly number[]): number => {
  if (EARLIEST.has(name)) return Math.min(...values)
  if (LATEST.has(name)) return Math.max(...values)
  return values.reduce((sum, value) => sum + value, 0)
}

/** The run lasts from the first start to the last end. Of `joined_ms` and `load1` the highest counts; all other figures are summed. */
export const together = (runs: readonly Figures[]): Figures => {
  const names = Object.keys(runs[0] ?? {})
  const all: Record<string, number> = Object.fromEntries(
    names.map((name) => [
      name,
      combined(
        name,
        runs.map((run) => run[name] ?? Number.NaN),
      ),
    ]),
  )
  const { from_ms, to_ms, broker_from_s, broker_to_s, joined_ms, ...figures } = all
  if (from_ms === undefined || to_ms === undefined) return all
  const seconds = (to_ms - from_ms) / 1_000
  return {
    ...figures,
    seconds,
    broker_cpu_s: (broker_to_s ?? Number.NaN) - (broker_from_s ?? Number.NaN),
    ...(joined_ms === undefined ? {} : { to_running_s: joined_ms / 1_000 + seconds }),
  }
}
