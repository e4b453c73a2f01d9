// `mintfold repartition`: fills the topics of another log for another number of partitions, then follows capture until it runs there.
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import type { StoresStanding } from '../../../schemas/types.ts'
import type { Log } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { type Topology, topicsOf } from '../../topology.ts'
import { pause } from '../../waiting/waiting.ts'
import { Chunks } from '../chunks.ts'
import { isCurrent, NO_REBUILD, recordOf, schemasOf, versionsOf } from '../stores-record.ts'
import { type BuildOptions, buildPartitions } from './build.ts'
import { HALF_MADE, isHalfMade } from './half-made.ts'
import { Mirror } from './mirror.ts'

const ROUND_MS = 50

export interface RepartitionOptions extends BuildOptions {
  readonly to: Log
  /** Called once the other log has everything, after each start. */
  readonly follows: () => void
}

/**
 * Resolves with true once capture runs on the other log, and with false if it was stopped before; then it can be started again. A build
 * that was interrupted begins again. @throws EngineError `repartition_refused`, `stores_newer`
 */
export const repartition = async (options: RepartitionOptions): Promise<boolean> => {
  const { from, to, topology, committed, stop } = options
  const stores = await wholeStores(from, topology)
  const record = recordOf(to, topology)
  const owner = await to.own(record.owner)
  const halfMade = (isHalf: boolean): Promise<void> =>
    record.write(owner, { rebuild: { ...NO_REBUILD, ...(isHalf && HALF_MADE), schemas: schemasOf(topology) } })
  await to.refresh()
  const there = await record.stores()
  if (there === undefined) {
    await halfMade(true)
    await clear(to, topology)
    if (!(await buildPartitions(options, { log: to, topology, owner }))) return false
  } else if (!isCurrent(there, versionsOf(topology)) || there.state !== 'whole') throw notOurs(topology)
  const mirror = new Mirror({ from, to, topology, committed, halfMade })
  await mirror.open()
  try {
    if (!(await untilWhole(mirror, stop))) return false
    if (there === undefined) await record.write(owner, { stores, rebuild: { ...NO_REBUILD, schemas: schemasOf(topology) } })
    else if (isHalfMade(await record.rebuild())) await halfMade(false)
    options.follows()
    while (!stop.aborted) {
      await mirror.round()
      await pause(ROUND_MS, stop)
    }
    return false
  } catch (failure) {
    if (!hasCode(failure, 'fenced')) throw failure
    return true
  }
}

const untilWhole = async (mirror: Mirror, stop: AbortSignal): Promise<boolean> => {
  while (!stop.aborted) {
    if (await mirror.round()) return true
    await pause(ROUND_MS, stop)
  }
  return false
}

/** The record of the stores that are copied. @throws EngineError `repartition_refused` */
const wholeStores = async (from: Log, topology: Topology): Promise<StoresStanding> => {
  await from.refresh()
  const record = recordOf(from, topology)
  const [stores, rebuild] = [await record.stores(), await record.rebuild()]
  if (stores === undefined) throw refused(topology, 'nothing was folded yet: start mintfold process first')
  if (!isCurrent(stores, versionsOf(topology)))
    throw refused(topology, 'the stores are of an older version: run mintfold repartition of the program that runs, or upgrade first')
  if (stores.state !== 'whole' || rebuild.state !== 'none') throw refused(topology, 'the stores are being rebuilt: retry when that is done')
  return stores
}

/** Removes what an interrupted build left. */
const clear = async (to: Log, topology: Topology): Promise<void> => {
  const { stores, rebuilds } = topology.operations.rebuild.writes
  const { owners } = topology.operations.kafka.writes
  const kept = [stores, rebuilds, owners].map(({ name }) => name)
  const chunks = new Chunks(await to.own(`repartition-${topology.chain.name}`))
  for (const topic of topicsOf(topology)) {
    if (kept.includes(topic.name)) continue
    for (let partition = 0; partition < to.partitions(topic); partition++)
      if (topic.cleanup === 'delete') await to.trim(topic, partition, to.end(topic, partition))
      else
        for await (const { key, value } of recordsOf(to, topic, partition))
          if (value !== null) await chunks.push({ topic, partition, key, value: null })
  }
  await chunks.end()
}

const refused = ({ chain: { name } }: Topology, why: string): EngineError =>
  new EngineError('repartition_refused', `${name}: ${why}`, { facts: { chain: name } })
const notOurs = (topology: Topology): EngineError =>
  refused(topology, 'the other topics have stores of another version, or are being rebuilt: name a prefix without topics')
