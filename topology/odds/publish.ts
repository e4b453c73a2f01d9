// Publishes a model to a log: the first one is in force at once, a later one starts a trial.
import { readModel } from '../../processors/odds/model.ts'
import { inForceAt } from '../../processors/odds/standing/model-states.ts'
import { modelCodec } from '../../schemas/codecs.ts'
import { EngineError, hasCode } from '../../schemas/errors.ts'
import { ownName, type Topic } from '../../schemas/topics.ts'
import type { ModelRecord } from '../../schemas/types.ts'
import type { Log, TaskOwner } from '../ports/log.ts'
import { progressIn } from '../records/progress-in.ts'
import { recordsOf } from '../records/records-of.ts'
import type { OddsTopology } from '../topology.ts'

/** Maximum of concurrent trials: each costs as much as the model in force. */
export const TRIALS_MAX = 8

/** State of a model after its publication, without its file. */
export type Published = Omit<ModelRecord, 'file'> & { readonly isNew: boolean }

/**
 * Publishes a model's file. If the log has the model already, writes nothing and returns its state.
 * @throws EngineError `model_unfit` for a file that does not fit this program, `trials_full`, and failures of the log
 */
export const publishModel = async (log: Log, topology: OddsTopology, file: Uint8Array): Promise<Published> => {
  const { id } = readModel(file)
  // Of several concurrent publishers only the newest may write.
  const owner = await log.own(ownName(topology.chain, 'publish'))
  try {
    return await publish(log, topology, owner, { id, file })
  } finally {
    await owner.release()
  }
}

const publish = async (
  log: Log,
  topology: OddsTopology,
  owner: TaskOwner,
  { id, file }: Pick<ModelRecord, 'id' | 'file'>,
): Promise<Published> => {
  const { models: topic, progress } = topology.sinks.trials.reads
  const known = await modelsIn(log, topic)
  const same = known.get(id)
  if (same !== undefined) return publishedOf(same, false)
  const all = [...known.values()]
  const on = all.filter(({ state }) => state === 'trial').length
  if (on >= TRIALS_MAX)
    throw new EngineError('trials_full', `${on} models are on trial, at most ${TRIALS_MAX} may be: publish this one when a trial has ended`)
  const since = await newestS(log, progress)
  const sequence = all.reduce((newest, one) => Math.max(newest, one.sequence), 0) + 1
  const inForce = inForceAt(all, Number.POSITIVE_INFINITY)
  const record: ModelRecord = { id, sequence, since, trialSince: since, file: Buffer.from(file), ...stateOf(inForce, since) }
  const value = modelCodec.encode(record)
  await owner.commit({ outputs: [{ topic, partition: 0, key: Buffer.from(id), value }], inputs: new Map() })
  return publishedOf(record, true)
}

const publishedOf = ({ file: _, ...record }: ModelRecord, isNew: boolean): Published => ({ ...record, isNew })

type State = Pick<ModelRecord, 'state' | 'inForceSince' | 'reason'>

/** A model in force that this program cannot load is replaced at once: no trial could be compared with it. */
const stateOf = (inForce: ModelRecord | undefined, since: number): State => {
  if (inForce === undefined) return { state: 'in_force', inForceSince: since, reason: 'the first model of this log' }
  if (!isFit(inForce)) return { state: 'in_force', inForceSince: since, reason: `${inForce.id} does not fit this program any more` }
  return { state: 'trial', inForceSince: null, reason: `on trial against ${inForce.id}` }
}

const isFit = ({ file }: ModelRecord): boolean => {
  try {
    readModel(file)
    return true
  } catch (failure) {
    if (hasCode(failure, 'model_unfit')) return false
    throw failure
  }
}

/** Models by id. */
const modelsIn = async (log: Log, topic: Topic): Promise<ReadonlyMap<string, ModelRecord>> => {
  const known = new Map<string, ModelRecord>()
  for await (const { value } of recordsOf(log, topic, 0, { to: await log.decidedEnd(topic, 0) })) {
    const read = value === null ? undefined : modelCodec.decode(value)
    if (read?.ok === true) known.set(read.value.id, read.value)
  }
  return known
}

/** Tick time of the newest frame that any task has folded, unix seconds; 0 if there is none. */
const newestS = async (log: Log, progress: Topic): Promise<number> => {
  let newest = 0
  for (let partition = 0; partition < log.partitions(progress); partition++)
    for await (const record of recordsOf(log, progress, partition)) newest = Math.max(newest, progressIn(record)?.time ?? 0)
  return newest
}
