// Publishes the facts and the clock of the sources captured here to other processes.
import { sourceCodec } from '../../../schemas/codecs.ts'
import { isRetriable } from '../../../schemas/errors.ts'
import type { Anchor } from '../../../schemas/types.ts'
import type { Log } from '../../ports/log.ts'
import type { Source } from '../../sources/source.ts'
import type { Topology } from '../../topology.ts'
import { pause } from '../../waiting/waiting.ts'

const CHECK_MS = 250

/** Writes the clock of a chain's source whenever it changes, until `stop`. Retries retriable failures; ends when another capture takes over. */
const publishClock = async (
  log: Log,
  { chain: { name: chain }, sources }: Pick<Topology, 'chain' | 'sources'>,
  source: Source,
  facts: string,
  stop: AbortSignal,
): Promise<void> => {
  const owner = await log.own(`source-${chain}`)
  const topic = sources.clock.writes.sources
  for (let published: Anchor | undefined; ; await pause(CHECK_MS, stop)) {
    const anchor = source.anchor()
    if (anchor !== undefined && !isSame(anchor, published))
      try {
        const { streamMs, wallMs, speed } = anchor
        const value = sourceCodec.encode({ chain, facts, streamMs, wallMs, speed })
        await owner.commit({
          outputs: [{ topic, partition: 0, key: Buffer.from(chain), value }],
          inputs: new Map(),
        })
        published = anchor
      } catch (failure) {
        if (!isRetriable(failure)) throw failure
      }
    if (stop.aborted) return
  }
}

/** The same for every chain captured here. */
export const publishClocks = async (
  log: Log,
  chains: readonly { readonly topology: Topology; readonly source: Source; readonly facts: string }[],
  stop: AbortSignal,
): Promise<void> => {
  await Promise.all(chains.map(({ topology, source, facts }) => publishClock(log, topology, source, facts, stop)))
}

const isSame = (anchor: Anchor, other: Anchor | undefined): boolean =>
  anchor.streamMs === other?.streamMs && anchor.wallMs === other.wallMs && anchor.speed === other.speed
