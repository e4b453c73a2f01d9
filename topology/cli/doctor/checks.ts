// All checks of `doctor`. Each is read-only and has a time limit.
import { EngineError } from '../../../schemas/errors.ts'
import { WRITER } from '../../history/engine/access.ts'
import { readerOf } from '../../history/engine/where.ts'
import { LAUNCH_RISK } from '../../launch-risk.ts'
import { readRecording } from '../../sources/recording/recording-file.ts'
import type { Settings } from '../settings/settings.ts'
import { LIVE, sourceName } from '../settings/source-name.ts'
import { chainsPlayed } from '../wiring/open-source.ts'
import { type Check, good, poor } from './check.ts'
import { checkAlt } from './checks-alt.ts'
import { checkDirectory, checkRoom, runningIn } from './checks-directory.ts'
import { checkHistory } from './checks-history.ts'
import { checkKafka } from './checks-kafka.ts'
import { checkLive } from './checks-live.ts'
import { ask, checkNode } from './checks-node.ts'
import { checkPayments } from './checks-payments.ts'
import { checkPorts } from './checks-ports.ts'

const PRIMARY = LAUNCH_RISK.chain.name

/** All checks that apply to these settings, in the order in which `up` would meet the problems. */
export async function* checkAll(settings: Settings, source: string): AsyncIterable<Check> {
  const { dataDir, kafka, clickhouse } = settings
  const running = await runningIn(dataDir)
  const engine = await readerOf(dataDir, { ...clickhouse, url: null, access: null }, WRITER)
  const name = sourceName(source)
  if (name?.path != null) yield await checkRecording(name.path)
  yield await checkDirectory(settings, running)
  if (kafka !== null) yield* checkKafka(settings, kafka)
  yield await checkRoom(dataDir)
  yield* checkPorts(settings, running, engine !== null, ask)
  yield* checkPayments(settings)
  if (settings.accountsUrl !== null && settings.accountsUrl !== settings.rpcUrl)
    yield await checkNode('accounts rpc', settings.accountsUrl, 'SOLANA_RPC_URL')
  const { live, liveAlt } = settings
  const played = name?.kind === LIVE ? await chainsPlayed({ source }, { live, liveAlt }) : []
  yield* checkLive(live, played.includes(PRIMARY))
  yield* checkAlt(liveAlt)
  yield* checkHistory(settings, engine, running)
}

const checkRecording = async (path: string): Promise<Check> => {
  const name = 'recording'
  try {
    for await (const { number } of readRecording(path)) return good(name, `${path} starts at slot ${number}`)
    return poor(name, `${path} has no frames: use another, or make one with mintfold record`)
  } catch (failure) {
    if (failure instanceof EngineError) return poor(name, failure.message)
    throw failure
  }
}
