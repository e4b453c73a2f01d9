// `mintfold dead-letters list|show|redrive`: records that could not be decoded, why, and decoding them again after an upgrade.
import type { DeadLetter } from '../../../schemas/types.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import { DeadLetterIndex } from '../../versions/decoding/dead-letter-index.ts'
import { type Io, type Register, UsageError } from '../command.ts'
import { adviceOn } from '../output/dead-letter-advice.ts'
import { isJson, type ListOptions, plain, withListOptions } from '../output/listing.ts'
import { settingsWithoutApi } from '../settings/settings.ts'
import { Closing } from '../start/closing.ts'
import { openReader } from '../wiring/open-reader.ts'
import { redrive } from './redrive.ts'

interface LetterOptions extends ListOptions {
  readonly code?: string
}

export const register: Register = (command, io) => {
  command.description(
    'Records, transactions and events that could not be decoded, from the log of the data directory (or Kafka); also while mintfold runs.',
  )
  withListOptions(command.command('list'))
    .description('One line per dead letter, newest first.')
    .option('--code <code>', 'only dead letters with this code')
    .action((options: LetterOptions) => list(options, io))
  command
    .command('show')
    .description('One dead letter with its bytes, as JSON, and what to do about it.')
    .argument('<id>', 'as printed by list')
    .action((id: string) => show(id, io))
  command
    .command('redrive')
    .description(
      'Decodes the retained raw frames again and rebuilds tape, stores, findings and history from them. A running ' +
        'mintfold does this itself; its answers lag meanwhile. If it is killed, the next start finishes the work.',
    )
    .action(() => redrive(io))
}

/** Reads the dead letters of each chain from the log that the settings name. Opens it read-only, which disturbs no other process. */
const withIndexes = async (io: Io, use: (indexes: readonly DeadLetterIndex[]) => Promise<void>): Promise<void> => {
  const settings = settingsWithoutApi(io.env)
  await new Closing(io.printNotice).after(async (closing) => {
    const log = await openReader(settings, closing, io)
    await use(await Promise.all(TOPOLOGIES.map(({ operations }) => DeadLetterIndex.open(log, operations.letters.reads.deadLetters))))
  })
}

const list = ({ code, ...options }: LetterOptions, io: Io): Promise<void> => {
  const { limit } = options
  const inJson = isJson(options)
  return withIndexes(io, async (indexes) => {
    let listed = 0
    for (const ofChain of indexes)
      for await (const deadLetter of ofChain.newest()) {
        if (code !== undefined && deadLetter.code !== code) continue
        if (listed === limit || io.stop.aborted) break
        listed++
        await io.out(`${inJson ? JSON.stringify(factsOf(deadLetter)) : lineOf(deadLetter)}\n`)
      }
    const count = indexes.reduce((sum, ofChain) => sum + ofChain.count, 0)
    io.printNotice(count === 0 ? 'no dead letters' : `${listed} of ${count} dead letters`)
  })
}

const show = (id: string, io: Io): Promise<void> =>
  withIndexes(io, async (indexes) => {
    const deadLetter = (await Promise.all(indexes.map((ofChain) => ofChain.get(id)))).find((found) => found !== undefined)
    if (deadLetter === undefined)
      throw new UsageError(`there is no dead letter ${id}: mintfold dead-letters list --format json prints the ids`)
    const bytes = Buffer.from(deadLetter.bytes)
    const whole = {
      ...factsOf(deadLetter),
      bytes_hex: bytes.toString('hex'),
      bytes_base64: bytes.toString('base64'),
      advice: adviceOn(deadLetter.code),
    }
    await io.out(`${JSON.stringify(whole, null, 2)}\n`)
  })

const factsOf = ({ id, code, reason, position, hash8, signature, processor, version, bytes }: DeadLetter): object => ({
  ...{ id, code, reason, position, hash8, signature, processor, version },
  size_bytes: bytes.length,
})
const lineOf = ({ id, code, reason, signature }: DeadLetter): string => [id, code, signature ?? '-', reason].map(plain).join('\t')
