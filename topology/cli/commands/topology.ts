// `mintfold topology`: the topology as text, as data or as a drawing.
import { Option } from 'commander'
import { drawingOf, type Graph, graphOf, textOf } from '../../graph.ts'
import { LAUNCH_RISK } from '../../launch-risk.ts'
import type { Register } from '../command.ts'
import { settingsWithoutApi } from '../settings/settings.ts'

interface Options {
  readonly json?: true
  readonly mermaid?: true
}

export const register: Register = (command, io) => {
  command
    .description(
      'The value that every role runs: sources, tasks with their processors, sinks, views, operations, and topics with their partitions.',
    )
    .addOption(new Option('--json', 'as data').conflicts('mermaid'))
    .option('--mermaid', 'as a mermaid drawing')
    .action(async ({ json, mermaid }: Options) => {
      const graph: Graph = graphOf(LAUNCH_RISK, settingsWithoutApi(io.env).partitions)
      await io.out(json ? `${JSON.stringify(graph, null, 2)}\n` : mermaid ? drawingOf(graph) : textOf(graph))
    })
}
