// The end of `up --exit`: when everything that its sources sent is folded, shown and in the history.
import { MIGRATING } from '../../history/history.ts'
import type { History } from '../../ports/history.ts'
import type { Log } from '../../ports/log.ts'
import type { MintView } from '../../ports/mint-view.ts'
import type { Source } from '../../sources/source.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { EndOptions, SourceOptions } from '../settings/source-options.ts'
import { type ExitOptions, sourceProgress, sourceWords, untilDealtWith } from './exit-watch.ts'

/** A chain whose source this process plays. */
interface EndingChain {
  readonly source: Source
  readonly view: Pick<MintView, 'status'>
}

interface Ending {
  readonly chains: readonly EndingChain[]
  readonly history: History
  /** True when the history has the whole log. */
  hasAll(): boolean
  readonly log: Log
  readonly options: SourceOptions & EndOptions
}

/** With `--exit` resolves once everything sent is processed; else at the stop. Rejects with the failure that ended `playing`. */
export const endOf = (playing: Promise<void>, { chains, history, hasAll, log, options }: Ending, watch: ExitOptions): Promise<void> => {
  let isPlayed = false
  const played = playing.then(() => {
    isPlayed = true
  })
  if (options.exit !== true) return played.then(() => stopped(watch.stop))
  const awaits = (): string | null => {
    const going = chains.find(({ source }) => !source.ended)
    if (going !== undefined) return sourceWords(options.source, going.source, log)
    const behind = chains.map(({ source, view }) => `${view.status().folded?.number ?? 'none'} of ${source.tip()?.number ?? 'none'}`)
    if (!isPlayed) return `the folds, which are at slot ${behind.join(' and ')}`
    return hasAll() ? null : `the history: ${history.status().trouble ?? 'its rows are being written'}`
  }
  const progress = (): string => {
    const { rows, upTo, trouble } = history.status()
    const isBusy = trouble?.startsWith(MIGRATING) === true
    const ofChains = chains.map(({ source, view }) => {
      const { folded, rebuild } = view.status()
      return [sourceProgress(options.source, source, log), folded, rebuild]
    })
    return JSON.stringify([ofChains, rows, upTo, isBusy ? trouble : null])
  }
  return Promise.race([untilDealtWith({ awaits, progress }, watch), played.then(() => stopped(watch.stop))])
}
