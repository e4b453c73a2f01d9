// `mintfold process --shadow`: runs this program's versions beside the running ones, until they are promoted.
import { join } from 'node:path'
import * as z from 'zod'
import { EngineError } from '../../../schemas/errors.ts'
import { holdDirectory } from '../../data-dir/hold-directory.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import { type ControlHandler, serveControl } from '../../operations/control/server.ts'
import type { PageStore } from '../../ports/keyed-pages.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { limitsOfTask } from '../../runtime/runtime.ts'
import type { Topology } from '../../topology.ts'
import { stagingIn } from '../../versions/rebuild/staging-stores.ts'
import { Shadow } from '../../versions/shadow/shadow.ts'
import { pause, stopped } from '../../waiting/waiting.ts'
import type { Io } from '../command.ts'
import { reportRebuilds } from '../output/rebuild-reporter.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from './closing.ts'
import { rebuildThreadsOf } from './shared-folds.ts'

/** Repeated without progress too, so that the client knows that the promotion continues. */
const PROGRESS_EVERY_MS = 200
const LOOK_MS = 500
const promoteSchema = z.object({ back: z.boolean() })

/** A promotion that the tasks of this process carry out when they start. */
export interface Promotion {
  /** What it does now, for the operator who requested it. */
  at(words: string | null): void
  /** Call it when the tasks run: the promotion is done. */
  done(): void
}

interface ShadowContext {
  readonly topologies: readonly Topology[]
  readonly settings: Pick<Settings, 'dataDir' | 'foldThreads' | 'liveAlt'>
  readonly log: Log
  readonly pages: PageStore
  readonly notice: Notice
  readonly io: Pick<Io, 'stop' | 'printNotice'>
}

/**
 * Follows the running versions of all chains whose stores are of other versions. Resolves when they are promoted, here or by another
 * process, and with undefined if it was stopped. Accepts `promote` on the control socket of the data directory, which it holds.
 */
export const shadowFirst = async (context: ShadowContext, closing: Closing): Promise<Promotion | undefined> => {
  const { settings, io } = context
  closing.add('directory', await holdDirectory(join(settings.dataDir, 'held')))
  const leaving = new AbortController()
  const shadows = await shadowsOf(context)
  const running = new Running()
  const control = await serveControl(settings.dataDir, handlersOf(shadows, leaving, running, io.stop))
  closing.add('control', () => control.close())
  if (shadows.length === 0) io.printNotice("the stores are of this program's versions: there is nothing to compare, the tasks start")
  const stop = AbortSignal.any([io.stop, leaving.signal])
  const following = Promise.all(shadows.map((shadow) => shadow.follow(stop)))
  void announce(shadows, stop, io.printNotice)
  await following
  leaving.abort()
  return io.stop.aborted ? undefined : { at: (words) => running.at(words), done: () => running.end() }
}

/** Those of chains with something to compare. */
const shadowsOf = async ({ topologies, settings, log, pages, notice, io }: ShadowContext): Promise<readonly Shadow[]> => {
  const rebuilding = reportRebuilds(io.printNotice)
  const foldThreads = rebuildThreadsOf(settings, notice)
  const limits = limitsOfTask(log, topologies, DEFAULT_LIMITS)
  const all = topologies.map((topology) => {
    const staging = stagingIn(settings.dataDir)(topology.chain)
    const progress = (at: Parameters<typeof rebuilding>[0]): void => rebuilding(at, topology.chain.name)
    return new Shadow({ log, topology, limits, staging, pages, foldThreads, notice, progress })
  })
  const are = await Promise.all(all.map((shadow) => shadow.isPromoted()))
  return all.filter((_shadow, at) => !are[at])
}

/** Prints once for each chain that its shadow waits, and once that it follows. */
const announce = async (shadows: readonly Shadow[], stop: AbortSignal, printNotice: (line: string) => void): Promise<void> => {
  const printed = new Set<string>()
  const print = (line: string): void => {
    if (!printed.has(line)) printNotice(line)
    printed.add(line)
  }
  while (!stop.aborted) {
    await pause(LOOK_MS, stop)
    for (const { state, chain } of shadows.map(({ status }) => status))
      if (state === 'follows')
        print(`the shadow of ${chain} follows the running version: mintfold diff compares them, mintfold promote switches to it`)
      else if (state === 'waits') print(`the shadow of ${chain} waits until the running version has stores that are complete`)
  }
}

/** Whether the tasks of the promoted versions run in this process. */
class Running {
  readonly done: Promise<void>
  words = 'the shadow ends'
  #end: () => void = () => {}

  constructor() {
    this.done = new Promise((resolve) => {
      this.#end = resolve
    })
  }
  at(words: string | null): void {
    this.words = words ?? 'the tasks start'
  }
  end(): void {
    this.#end()
  }
}

const handlersOf = (
  shadows: readonly Shadow[],
  leaving: AbortController,
  running: Running,
  ending: AbortSignal,
): Readonly<Record<string, ControlHandler>> => ({
  promote: async (args, { progress, stop }) => {
    const parsed = promoteSchema.safeParse(args)
    if (!parsed.success) throw new EngineError('control_failed', 'promote takes `back`, true or false')
    const isFirst = shadows.length > 0 && !leaving.signal.aborted
    if (isFirst) for (const shadow of shadows) await shadow.check(parsed.data.back)
    leaving.abort()
    const timer = setInterval(() => progress({ words: running.words }), PROGRESS_EVERY_MS)
    try {
      await Promise.race([running.done, stopped(stop), stopped(ending)])
    } finally {
      clearInterval(timer)
    }
    if (ending.aborted) throw new EngineError('control_failed', 'the process was stopped during the promotion')
    return { isFirst, chains: shadows.map(({ status: { chain } }) => chain) }
  },
})
