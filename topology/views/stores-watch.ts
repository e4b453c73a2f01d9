// State of the stores that a view shows: whether all rows were written by the same versions, and the progress of a rebuild.
import { rebuildCodec, storesCodec } from '../../schemas/codecs.ts'
import type { RebuildStanding, StoresStanding } from '../../schemas/types.ts'
import type { LogRecord } from '../ports/log.ts'

export class StoresWatch {
  #state: StoresStanding['state'] = 'whole'
  #inOtherProcess: string | null = null
  #reason: string | null = null
  /** Progress of a rebuild in this process, as text; null if there is none. */
  here: string | null = null

  /** True while the stores hold rows of two versions. */
  get isInstalling(): boolean {
    return this.#state === 'installing'
  }
  /** Progress of a rebuild, as text; null if there is none. */
  get text(): string | null {
    return this.here === null ? this.#inOtherProcess : `${this.here}${because(this.#reason)}`
  }
  takeStores({ value }: Pick<LogRecord, 'value'>): void {
    const read = value === null ? undefined : storesCodec.decode(value)
    if (read?.ok === true) this.#state = read.value.state
  }
  takeRebuild({ value }: Pick<LogRecord, 'value'>): void {
    const read = value === null ? undefined : rebuildCodec.decode(value)
    if (read?.ok !== true) return
    this.#inOtherProcess = progressText(read.value)
    this.#reason = read.value.state === 'none' ? null : read.value.reason
  }
}

const because = (reason: string | null): string => (reason === null ? '' : `, because ${reason}`)

const progressText = ({ state, by, reason, words, target }: RebuildStanding): string | null => {
  if (state === 'none') return null
  const versions = target.map(({ name, version }) => `${name} ${version}`).join(', ')
  const who = by === '' ? '' : ` by ${by}`
  return `the stores are rebuilt${who} for ${versions}${because(reason)}: ${words ?? 'begins'}`
}
