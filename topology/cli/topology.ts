// `mintfold topology`: the graph as data, or as a drawing.
import type { Command } from 'commander'
import { describe, type Graph } from '../launch-risk.ts'
import type { Register } from './command.ts'
import { parseSettings, withoutApi } from './settings.ts'

export const registerTopology: Register = (program: Command, io) => {
  program
    .command('topology')
    .description('the graph as data: sources, processors, stores, views, topics, partitions')
    .option('--mermaid', 'as a mermaid drawing')
    .action(async ({ mermaid }: { mermaid?: boolean }) => {
      const graph = describe(parseSettings(withoutApi(io.env), { source: 'demo' }).partitions)
      await io.out(mermaid ? drawing(graph) : `${JSON.stringify(graph, null, 2)}\n`)
    })
}

const drawing = ({ sources, processors, views }: Graph): string => {
  const lines = [
    ...sources.map(({ name, writes }) => `${name}([${name}]) --> ${writes}`),
    ...processors.flatMap(({ name, version, reads, writes, store }) => [
      `${reads} --> ${name}[${name} v${version}]`,
      ...[...writes, store].map((topic) => `${name} --> ${topic}`),
    ]),
    ...views.flatMap(({ name, reads }) => reads.map((topic) => `${topic} --> view-${name}[(${name})]`)),
  ]
  return `flowchart LR\n${lines.map((line) => `  ${line}\n`).join('')}`
}
