// `mintfold dev` in the process of a test: its output, and saves of its detector's file.
import { renameSync, writeFileSync } from 'node:fs'
import { tapeBatchCodec } from '../../../schemas/codecs.ts'
import type { Launch, TapeBatch } from '../../../schemas/types.ts'
import { main } from '../../../topology/cli/main.ts'
import { createIo } from '../../../topology/cli/output/io.ts'
import { writeTape } from '../../../topology/sources/recording/tape-file.ts'
import { batchOf, demoSlots } from '../../fixtures/demo-tape.ts'
import { until } from '../../tools/until.ts'
import { fakeEdges } from '../../unit/cli/fake-edges.ts'

/** What a creator may write: markup, a direction override, a terminal sequence, a quote that ends an attribute. */
export const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)>\u202e\u001b[31m"'`
const HOSTILE_SYMBOL = '</td>\u2066\u0007'

/** Forty minutes of the demo; all launches have hostile names. */
export const writeDemoTape = (path: string): Promise<void> => {
  const hostile = (batch: TapeBatch): TapeBatch => ({
    ...batch,
    events: batch.events.map((event) =>
      event.type === 'launch' ? ({ ...event, name: HOSTILE, symbol: HOSTILE_SYMBOL } as Launch & typeof event) : event,
    ),
  })
  const batches = [...demoSlots({ seed: 1, rate: 0.5, seconds: 2_400 })].map((slot) => hostile(batchOf(slot)))
  return writeTape(path, batches, tapeBatchCodec)
}

export interface RunningDev {
  readonly stdout: string
  readonly stderr: string
  readonly url: string
  /** Writes the file in place, or to another file that it renames, as some editors do. */
  save(text: string, how?: 'in place' | 'renamed'): Since
  /** Runs `act`; gives the output since then. */
  after(act: () => void): Since
  /** Sends SIGINT; resolves to the exit code. */
  stop(): Promise<number>
}

/** The output since an action. */
interface Since {
  /** Resolves to the output once it contains all of these, on either stream. */
  prints(...texts: readonly (string | RegExp)[]): Promise<string>
}

export const runDev = async (path: string, env: Record<string, string>, ...args: readonly string[]): Promise<RunningDev> => {
  const edges = fakeEdges(env)
  const { written } = edges
  const running = main(['dev', path, '--port', '0', ...args], createIo(edges))
  await until(() => written.stderr.includes('the page: '), { seen: () => written.stderr })
  const url = /the page: (\S+)/.exec(written.stderr)?.[1] ?? ''
  return {
    get stdout() {
      return written.stdout
    },
    get stderr() {
      return written.stderr
    },
    url,
    save: (text, how = 'in place') =>
      sinceOf(written, () => {
        writeFileSync(how === 'renamed' ? `${path}~` : path, text)
        if (how === 'renamed') renameSync(`${path}~`, path)
      }),
    after: (act) => sinceOf(written, act),
    stop: () => {
      edges.signal('SIGINT')
      return running
    },
  }
}

const sinceOf = (written: { readonly stdout: string; readonly stderr: string }, act: () => void): Since => {
  const [out, err] = [written.stdout.length, written.stderr.length]
  act()
  const since = (): string => `${written.stderr.slice(err)}\n${written.stdout.slice(out)}`
  const isPrinted = (text: string | RegExp): boolean => (typeof text === 'string' ? since().includes(text) : text.test(since()))
  return {
    prints: async (...texts) => {
      await until(() => texts.every(isPrinted), { seen: since })
      return since()
    },
  }
}
