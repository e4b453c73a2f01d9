// `mintfold diff`: compares what a shadow and the running version report.
import { EngineError } from '../../../../schemas/errors.ts'
import { TOPOLOGIES } from '../../../launch-risk.ts'
import type { Log } from '../../../ports/log.ts'
import { type Compared, diffShadow, openShadowIn } from '../../../versions/shadow/diff.ts'
import { Differences, type Example } from '../../../versions/shadow/differences.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { plain } from '../../output/listing.ts'
import { createLogger, noticesTo } from '../../output/logger.ts'
import { showProgress } from '../../output/progress.ts'
import { settingsWithoutApi } from '../../settings/settings.ts'
import { Closing } from '../../start/closing.ts'
import { wholeIn } from '../../whole-number.ts'

interface DiffCommandOptions {
  readonly json?: boolean
  readonly examples: number
}

const EXAMPLES = 3
const EXAMPLES_MAX = 1_000
/** Fields of a kind that the text names, the most frequent ones. */
const FIELDS_SHOWN = 5

export const register: Register = (command, io) => {
  command
    .description(
      'Compares what the shadow with this MINTFOLD_DATA_DIR and the running version report, over the frames that both have folded: flags, outcomes, ' +
        'judgements (the inputs of the odds), and the rows from which cards are made. Exit code 0: no difference; 1: differences; 3: there is no ' +
        'shadow to compare, or one side does not follow.',
    )
    .option('--json', 'one JSON document per chain')
    .option('--examples <n>', 'at most this many examples of each kind', wholeIn(0, EXAMPLES_MAX), EXAMPLES)
    .action((options: DiffCommandOptions) => diff(options, io))
}

const diff = async (options: DiffCommandOptions, io: Io): Promise<void> => {
  const settings = settingsWithoutApi(io.env)
  const { kafka } = settings
  if (kafka === null) throw new UsageError('KAFKA_BROKERS is not set, but a shadow runs on Kafka: set it and SCHEMA_REGISTRY_URL')
  await new Closing(io.printNotice).after(async (closing) => {
    const notice = noticesTo(createLogger({ logLevel: settings.logLevel, terminal: io.terminal }))
    const { openShared } = await import('../../wiring/open-kafka.ts')
    const log = await openShared(settings, kafka, closing, notice)
    await log.refresh()
    for (const topology of TOPOLOGIES) await diffChain(topology, { log, dataDir: settings.dataDir }, options, io)
  })
}

interface Places {
  readonly log: Log
  readonly dataDir: string
}

const diffChain = async (
  topology: (typeof TOPOLOGIES)[number],
  { log, dataDir }: Places,
  { json, examples }: DiffCommandOptions,
  io: Io,
): Promise<void> => {
  const { name } = topology.chain
  const shadow = await openShadowIn(dataDir, log, topology)
  if (shadow === undefined) return io.printNotice(`${name}: the running version is this program's: there is nothing to compare`)
  const progress = showProgress(io, { what: `comparing ${name}`, unit: 'partitions' })
  try {
    const found = new Differences(examples)
    const of = (partitions: number, all: number): void => progress.at(partitions, partitions / all)
    const compared = await diffShadow({ log, topology, stop: io.stop, progress: of }, shadow, found)
    progress.hide()
    if (io.stop.aborted) throw new EngineError('shadow_not_ready', 'the comparison was stopped')
    await io.out(json === true ? `${JSON.stringify(documentOf(compared, found))}\n` : textOf(compared, found))
    if (found.count > 0) io.setExitCode(1)
  } finally {
    progress.hide()
    await shadow.close()
  }
}

const documentOf = (compared: Compared, found: Differences): object => ({
  ...compared,
  differences: found.count,
  kinds: found.kinds.map(([kind, counts]) => ({
    ...{ kind, ...counts },
    fields: Object.fromEntries(found.fieldsOf(kind)),
    examples: found.examplesOf(kind),
  })),
})

const textOf = ({ chain, from, to }: Compared, found: Differences): string => {
  const stretch = to === null ? 'no frame was folded by both' : `frames ${from} to ${to}`
  const lines = [`${chain}: ${found.count} differences; ${stretch}`]
  for (const [kind, { same, changed, added, removed, moving }] of found.kinds) {
    const still = moving === 0 ? '' : `, ${moving} not compared because they kept changing`
    lines.push(`  ${kind}: ${same} same, ${changed} changed, ${added} only in the shadow, ${removed} only in the running version${still}`)
    const fields = found.fieldsOf(kind).slice(0, FIELDS_SHOWN)
    if (fields.length > 0) lines.push(`    changed: ${fields.map(([path, count]) => `${path} (${count})`).join(', ')}`)
    for (const example of found.examplesOf(kind)) lines.push(...exampleLines(example))
  }
  return `${lines.join('\n')}\n`
}

const exampleLines = ({ change, id, fields }: Example): string[] => [
  `    ${change} ${id}`,
  ...Object.entries(fields)
    .slice(0, change === 'changed' ? FIELDS_SHOWN : 0)
    .map(([path, { running, shadow }]) => plain(`      ${path}: ${JSON.stringify(running)} -> ${JSON.stringify(shadow)}`)),
]
