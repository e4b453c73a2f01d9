// `mintfold topology`: prints the topology as text, JSON or a mermaid diagram.
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
      'Prints what every role runs, per chain: sources, tasks with their processors, sinks, views, operations, and topics with their partitions.',
    )
    .addOption(new Option('--json', 'as JSON: a list with one value per chain').conflicts('mermaid'))
    .option('--mermaid', 'as a mermaid diagram')
    .action(async ({ json, mermaid }: Options) => {
      const { partitions } = settingsWithoutApi(io.env)
      const graphs = TOPOLOGIES.map((topology) => graphOf(topology, partitions))
      if (mermaid) await io.out(drawingOf(graphs))
      else await io.out(json ? `${JSON.stringify(graphs, null, 2)}\n` : graphs.map(textOf).join(''))
    })
}
