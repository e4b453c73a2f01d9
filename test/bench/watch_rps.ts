// watch_rps: polls a second of the free watch of five mints, with their cursor, at full load.
import type { Bench } from './bench.ts'
import { CONNECTIONS, serveCards } from './card-server.ts'
import { load } from './load.ts'

const MINTS = 5

export const bench: Bench = {
  name: 'watch_rps',
  unit: 'requests/s',
  run: async () => {
    const { serving } = await serveCards()
    const url = await pollOf(serving.url)
    await load({ url, seconds: 2, connections: CONNECTIONS })
    const result = await load({ url, seconds: 8, connections: CONNECTIONS })
    await serving.close(1_000)
    return { value: result.rps, detail: { ...result, connections: CONNECTIONS, mints: MINTS } }
  },
}

/** The URL of a started watch; there are no new events, because no source runs. */
const pollOf = async (origin: string): Promise<string> => {
  const { items } = await dataOf<{ items: readonly { mint: string; coverage: string }[] }>(
    `${origin}/v1/launches/recent?limit=100&max_age_s=21600`,
  )
  const mints = items.filter(({ coverage }) => coverage === 'full').slice(0, MINTS)
  if (mints.length < MINTS) throw new Error(`the tape has ${mints.length} mints with full coverage`)
  const watch = `${origin}/v1/check/watch?mints=${mints.map(({ mint }) => mint).join(',')}`
  const { cursor } = await dataOf<{ cursor: string }>(watch)
  return `${watch}&cursor=${cursor}`
}

const dataOf = async <Data>(url: string): Promise<Data> => {
  const { data } = (await (await fetch(url)).json()) as { data: Data }
  return data
}
