// The thread's side: opens a source on the log of the main thread, and serves calls to it.
import { expose, type Remote } from 'comlink'
import { assert } from '../../../schemas/errors.ts'
import { withOwners } from '../../logs/with-owners.ts'
import type { Log, SourceLog } from '../../ports/log.ts'
import type { Source, SourceContext, SourceHandle } from '../../sources/source.ts'
import { threadHere } from '../here.ts'
import type { SourceHost, SourceState, SourceThread, SourceThreadContext } from './wire.ts'

/** Interval at which the main thread receives the source's state, in addition to every commit. */
const STATE_MS = 50
/** Interval at which it receives the progress of a preparation: a message costs as much as some slots. */
const PROGRESS_MS = 100

const stateOf = (source: Source, n: number): SourceState => ({
  n,
  frames: source.frames,
  ended: source.ended,
  tip: source.tip(),
  anchor: source.anchor(),
})
const NOT_OPEN: SourceState = { n: 0, frames: 0, ended: false, tip: null, anchor: undefined }

/** Serves one source to the thread that started this one. */
export const serveSource = <Options>(open: (log: SourceLog, options: Options, context: SourceContext) => Promise<SourceHandle>): void => {
  const { port, openLog } = threadHere()
  const stop = new AbortController()
  let opened: SourceHandle | undefined
  let host: Remote<SourceHost>
  let count = 0
  const state = (): SourceState => (opened === undefined ? NOT_OPEN : stateOf(opened.source, ++count))
  const source = (): Source => {
    assert(opened !== undefined, 'a source is opened before it is used')
    return opened.source
  }
  const thread: SourceThread = {
    async open(options, context, remoteHost) {
      host = remoteHost as unknown as Remote<SourceHost>
      const log = reporting(await openLog(), () => host.setState(state()))
      opened = await open(log, options as Options, contextOf(context, host, stop.signal))
      return { facts: opened.facts, words: opened.words, hasAccounts: opened.accounts !== undefined, state: state() }
    },
    async prepare(progress) {
      let reportedMs = Number.NEGATIVE_INFINITY
      await source().prepare?.((done) => {
        if (performance.now() - reportedMs < PROGRESS_MS) return
        reportedMs = performance.now()
        progress(done)
      })
      return state()
    },
    async run(line) {
      const reporting = setInterval(() => void host.setState(state()), STATE_MS)
      try {
        await source().run(line)
      } finally {
        clearInterval(reporting)
      }
      return state()
    },
    stop() {
      stop.abort()
    },
    async read(mint) {
      assert(opened?.accounts !== undefined, 'only a source with accounts reads accounts')
      return opened.accounts.read(mint)
    },
  }
  expose(thread, port)
}

/** Wraps the log so that a commit becomes visible only after the main thread received the source's state at that commit. */
const reporting = (log: Log, report: () => Promise<void>): SourceLog =>
  withOwners(log, async (id) => {
    const owner = await log.own(id)
    return {
      id,
      committed: () => owner.committed(),
      commit: async (commit) => {
        await report()
        await owner.commit(commit)
      },
      release: () => owner.release(),
    }
  })

const contextOf = ({ dataDir, folded }: SourceThreadContext, host: Remote<SourceHost>, stop: AbortSignal): SourceContext => {
  const seen = new BigInt64Array(folded)
  return {
    dataDir,
    stop,
    folded: () => {
      const slot = Number(Atomics.load(seen, 0))
      return slot < 0 ? null : slot
    },
    notice: (code, facts) => void host.notice(code, facts),
  }
}
