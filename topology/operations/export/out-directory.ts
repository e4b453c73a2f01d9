// The directory of a running export. Its state is stored after every file, so an export that was killed resumes where it stopped.
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { isRunning, thisProcess } from '../../data-dir/process-identity.ts'
import { unreadable } from '../../sources/recording/unreadable.ts'
import { DayFile, writeWhole } from './day-file.ts'
import { type FileEntry, MANIFEST, type Manifest, type Missing, textOf, UNFINISHED, type Unfinished, unfinishedSchema } from './manifest.ts'

/** Identifies an export: only an export with the same identity resumes it. */
export type Identity = Pick<Unfinished, 'format' | 'version' | 'range' | 'of'>

const keyOf = ({ chain, table, day }: Pick<FileEntry, 'chain' | 'table' | 'day'>): string => `${chain} ${table} ${day}`

export class OutDirectory {
  readonly dir: string
  #state: Unfinished
  readonly #done: Set<string>

  private constructor(dir: string, state: Unfinished) {
    this.dir = dir
    this.#state = state
    this.#done = new Set([...state.files, ...state.missing].map(keyOf))
  }
  /**
   * Creates the directory, or resumes an unfinished export with the same identity. Bad data if the directory has any other content.
   * `cuts`: returns the ends of an export that starts now. @throws EngineError file_unreadable
   */
  static async open(dir: string, identity: Identity, cuts: () => Promise<Unfinished['cuts']>): Promise<Parsed<OutDirectory>> {
    const found: readonly string[] = await readdir(dir).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return []
      throw unreadable(dir, cause)
    })
    if (found.includes(MANIFEST)) return bad('bad_encoding', `${dir} has a complete export: name another directory`)
    if (!found.includes(UNFINISHED) && found.some((name) => name !== `${UNFINISHED}.part`))
      return bad('bad_encoding', `${dir} is not empty (${found.slice(0, 3).join(', ')}): name an empty or new directory`)
    if (!found.includes(UNFINISHED)) {
      const state = { ...identity, by: thisProcess(), cuts: await cuts(), files: [], missing: [] }
      await writeWhole(dir, UNFINISHED, textOf(state))
      return good(new OutDirectory(dir, state))
    }
    const state = unfinishedOf(await readFile(join(dir, UNFINISHED), 'utf8'))
    const reason = state === undefined ? `its ${UNFINISHED} cannot be read` : otherThan(identity, state)
    if (state === undefined || reason !== undefined)
      return bad('bad_encoding', `${dir} has another, unfinished export: ${reason}. Name another directory, or remove this one.`)
    if (state.by.pid !== process.pid && isRunning(state.by))
      return bad('bad_encoding', `process ${state.by.pid} is exporting to ${dir}: wait until it ends, or stop it`)
    const out = new OutDirectory(dir, await withoutLost(dir, { ...state, by: thisProcess() }))
    await out.#keep(out.#state)
    return good(out)
  }
  get cuts(): Unfinished['cuts'] {
    return this.#state.cuts
  }
  get files(): readonly FileEntry[] {
    return this.#state.files
  }
  get missing(): readonly Missing[] {
    return this.#state.missing
  }
  isDone(what: Pick<FileEntry, 'chain' | 'table' | 'day'>): boolean {
    return this.#done.has(keyOf(what))
  }
  create(path: string): Promise<DayFile> {
    return DayFile.create(join(this.dir, path))
  }
  async done(entry: FileEntry): Promise<void> {
    this.#done.add(keyOf(entry))
    await this.#keep({ ...this.#state, files: [...this.#state.files, entry] })
  }
  async lacks(missing: Missing): Promise<void> {
    this.#done.add(keyOf(missing))
    await this.#keep({ ...this.#state, missing: [...this.#state.missing, missing] })
  }
  /** Marks the export as complete. */
  async finish(manifest: Manifest): Promise<void> {
    await writeWhole(this.dir, MANIFEST, textOf(manifest))
    await rm(join(this.dir, UNFINISHED), { force: true })
  }
  async #keep(state: Unfinished): Promise<void> {
    this.#state = state
    await writeWhole(this.dir, UNFINISHED, textOf(state))
  }
}

const unfinishedOf = (text: string): Unfinished | undefined => {
  try {
    return unfinishedSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Why resuming would give another result; undefined if it gives the same. */
const otherThan = ({ range, of, version }: Identity, state: Unfinished): string | undefined => {
  const days = (one: Unfinished['range']): string => `from ${one.from ?? 'the beginning'} to ${one.to ?? 'the newest'}`
  if (days(range) !== days(state.range)) return `it is ${days(state.range)}, not ${days(range)}`
  if (of !== state.of) return 'it is of another history or log'
  return version === state.version ? undefined : `mintfold ${state.version} began it, this is ${version}`
}

/** Files that were removed or truncated are exported again, and days that were missing are tried again. */
const withoutLost = async (dir: string, state: Unfinished): Promise<Unfinished> => {
  const sizes = await Promise.all(
    state.files.map(({ path }) =>
      stat(join(dir, path)).then(
        ({ size }) => size,
        () => -1,
      ),
    ),
  )
  return { ...state, files: state.files.filter(({ bytes }, index) => sizes[index] === bytes), missing: [] }
}
