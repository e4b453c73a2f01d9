// `mintfold promote`: switches to the versions of a shadow, by a request to the process that runs it.
import * as z from 'zod'
import { EngineError, hasCode } from '../../../../schemas/errors.ts'
import { askControl } from '../../../operations/control/client.ts'
import type { Io, Register } from '../../command.ts'
import { RebuildReporter } from '../../output/rebuild-reporter.ts'
import { settingsWithoutApi } from '../../settings/settings.ts'

interface PromoteOptions {
  readonly back?: boolean
}

const resultSchema = z.object({ isFirst: z.boolean(), chains: z.array(z.string()) })
const progressSchema = z.object({ words: z.string() })

export const register: Register = (command, io) => {
  command
    .description(
      'Switches to the versions of the shadow that runs with this MINTFOLD_DATA_DIR: its rows are swapped in where they differ, findings that ' +
        'differ are published or retracted, and its process takes over all partitions. The processes of the other version end. Repeating it is harmless.',
    )
    .option('--back', 'the shadow is of an older version: processes of the newer one then end, and do not come back on their own')
    .action((options: PromoteOptions) => promote(options, io))
}

const promote = async ({ back = false }: PromoteOptions, io: Io): Promise<void> => {
  const { dataDir } = settingsWithoutApi(io.env)
  const reporter = new RebuildReporter(io.printNotice)
  const progress = (what: Readonly<Record<string, unknown>>): void => reporter.relay(progressSchema.parse(what).words)
  const asked = askControl({ dataDir, command: 'promote', args: { back }, progress, stop: io.stop }).catch((failure: unknown) => {
    throw hasCode(failure, 'control_unreachable') ? noShadow(failure.message) : failure
  })
  const { isFirst, chains } = resultSchema.parse(await asked)
  io.printNotice(isFirst ? `promoted: ${chains.join(', ')}; this version's tasks run` : 'promoted already: nothing has changed')
}

const noShadow = (why: string): EngineError =>
  new EngineError(
    'nothing_to_promote',
    `${why}. Start mintfold process --shadow of the version to promote with this MINTFOLD_DATA_DIR. If it ended during a promotion, start it ` +
      'again: it finishes the swap if rows were swapped in already, else run mintfold promote again',
  )
