// `mintfold capture`: writes a source to the raw topic on Kafka. Only one runs at a time: a newer capture fences the older.
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import type { Chain } from '../../../schemas/types.ts'
import { DEMO_BOUNDS } from '../../launch-risk.ts'
import { logAwayMetrics } from '../../operations/metrics/log-metrics.ts'
import { sourceMetrics } from '../../operations/metrics/source-metrics.ts'
import type { Source } from '../../sources/source.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { Io, Register } from '../command.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { preparing } from '../output/preparing.ts'
import { showLine } from '../output/status-line.ts'
import { parseSettings, withoutApi } from '../settings/settings.ts'
import { addBrokerOptions, type BrokerOptions, envWith, kafkaOfRole } from '../settings/settings-kafka.ts'
import { addEndOptions, addSourceOptions, checkSource, type EndOptions, type SourceOptions } from '../settings/source-options.ts'
import { Closing } from '../start/closing.ts'
import { sourceProgress, sourceWords, untilDealtWith } from '../start/exit-watch.ts'
import { openPlayed } from '../start/open-chains.ts'
import { type Lining, runOnOneLine } from '../start/play.ts'
import { openForRole } from '../wiring/open-kafka.ts'
import { openMetrics } from '../wiring/open-metrics.ts'
import { openSource, withStart } from '../wiring/open-source.ts'
import { publishClocks } from '../wiring/publish-clocks.ts'

type Options = SourceOptions & EndOptions & BrokerOptions

export const register: Register = (command, io) => {
  command.description(
    'Sends the frames of a source to Kafka, from the last committed position. Only one capture runs at a time: a second one fences the first, which ends ' +
      'with a notice. mintfold process and mintfold serve read the frames, in any number of processes.',
  )
  addBrokerOptions(addEndOptions(addSourceOptions(command, { verb: 'capture', historyHours: DEMO_BOUNDS.HISTORY_S / 3_600 }))).action(
    (options: Options) => capture(options, io),
  )
}

const capture = async (options: Options, io: Io): Promise<void> => {
  checkSource(options)
  const settings = parseSettings(withoutApi(envWith(io.env, options)), { source: options.source, role: 'capture' })
  const kafka = kafkaOfRole(settings)
  const logger = createLogger({ logLevel: settings.logLevel, terminal: io.terminal })
  const closing = new Closing(io.printNotice)
  const over = new AbortController()
  const stop = AbortSignal.any([io.stop, over.signal])
  let known: unknown
  try {
    const { registry, notice } = await openMetrics('capture', settings, noticesTo(logger), closing, io)
    const log = await openForRole(settings, kafka, closing, notice, io.stop)
    const { live, liveAlt } = settings
    const context = { dataDir: null, stop, folded: () => null, notice }
    const given = { options: await withStart(log, options, Date.now()), live, liveAlt }
    const opened = await openPlayed(given, (given) => openSource(log, given, context), closing)
    const chains = [...opened].map(([topology, own]) => ({ topology, ...own, chain: topology.chain.name }))
    sourceMetrics(registry, chains)
    logAwayMetrics(log, registry)
    await Promise.all(chains.map(({ source }) => source.prepare?.(preparing(io))))
    for (const { words, source } of chains) {
      const resumed = source.frames > 0 ? `, from frame ${source.frames + 1} on` : ''
      io.printNotice(`captures ${words}${resumed}, to Kafka ${kafka.brokers.join(',')}`)
    }
    const hide = showLine(io.terminal, () => chains.map(lineOf).join('  '))
    closing.add('status', async () => hide())
    const publishing = publishClocks(log, chains, stop)
    const running = runAll(chains, io, { stop, speed: options.speed }).then(() => (options.exit ? undefined : stopped(stop)))
    const unended = (): Source | undefined => chains.find(({ source }) => !source.ended)?.source
    const awaits = (): string | null => {
      const source = unended()
      return source === undefined ? null : sourceWords(options.source, source, log)
    }
    const progress = (): string => chains.map(({ source }) => sourceProgress(options.source, source, log)).join()
    const watched = options.exit ? untilDealtWith({ awaits, progress }, { printNotice: io.printNotice, stop }) : stopped(stop)
    closing.add('source', async () => {
      over.abort()
      await Promise.all([publishing, running])
    })
    await Promise.race([running, watched.then(() => running), publishing.then(() => stopped(stop))])
    for (const { chain, source } of chains)
      io.printNotice(`captured ${source.frames} frames of ${chain}, up to number ${source.tip()?.number ?? 'none'}`)
  } catch (failure) {
    known = failure
    throw hasCode(failure, 'fenced') ? takenOver(failure) : failure
  } finally {
    await closing.run(known).catch((failure: unknown) => {
      if (!hasCode(failure, 'fenced')) throw failure
    })
  }
}

interface Captured {
  readonly chain: Chain
  readonly source: Source
}

const lineOf = ({ chain, source }: Captured): string => `${chain} ${source.tip()?.number ?? '-'}  frames ${source.frames}`

const runAll = async (chains: readonly Captured[], io: Io, lining: Lining): Promise<void> => {
  await runOnOneLine(chains, lining, () => {})
  if (!chains.every(({ source }) => source.ended)) return
  io.printNotice(`the source has ended: ${chains.map(({ chain, source }) => `${source.frames} frames of ${chain}`).join(' and ')} are sent`)
}

const takenOver = (cause: unknown): EngineError =>
  new EngineError(
    'fenced',
    'another capture has taken over this stream, and only one may write it: this capture ends; nothing was sent twice',
    {
      cause,
    },
  )
