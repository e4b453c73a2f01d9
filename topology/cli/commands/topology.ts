// `mintfold topology`: the topology as text, as data or as a drawing.
import { Option } from 'commander'
import { drawingOf, graphOf, textOf } from '../../graph.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import type { Register } from '../command.ts'
import { settingsWithoutApi } from '../settings/settings.ts'

interface Options {
  readonly json?: true
  readonly mermaid?: true
}

export const register: Register = (command, io) => {
  command
    .description(
      'What every role runs, for each chain: sources, tasks with their processors, sinks, views, operations, and topics with their partitions.',
    )
    .addOption(new Option('--json', 'as data: a list of one value for each chain').conflicts('mermaid'))
    .option('--mermaid', 'as a mermaid drawing')
    .action(async ({ json, mermaid }: Options) => {
      const { partitions } = settingsWithoutApi(io.env)
      const graphs = TOPOLOGIES.map((topology) => graphOf(topology, partitions))
      if (mermaid) await io.out(drawingOf(graphs))
      else await io.out(json ? `${JSON.stringify(graphs, null, 2)}\n` : graphs.map(textOf).join(''))
    })
}
