// What `mintfold topology` prints of the running wiring. The text is pinned: change topology.txt by hand when the wiring changes.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { main } from '../../topology/cli/main.ts'
import { createIo } from '../../topology/cli/output/io.ts'
import type { Graph } from '../../topology/graph.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../topology/launch-risk.ts'
import { type Topology, topicsOf } from '../../topology/topology.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { fakeEdges } from '../unit/cli/fake-edges.ts'

const PINNED = readFileSync(fileURLToPath(new URL('./topology.txt', import.meta.url)), 'utf8')

const printed = async (...options: string[]): Promise<string> => {
  const edges = fakeEdges({})
  expect(await main(['topology', ...options], createIo(edges))).toBe(0)
  return edges.written.stdout
}
/** One of each chain, in their order. */
const graphs = async (): Promise<readonly Graph[]> => JSON.parse(await printed('--json')) as readonly Graph[]

test('prints the pinned text', async () => {
  expect(await printed()).toBe(PINNED)
})

test('prints every processor, task, part and topic that is wired', async () => {
  expect(await graphs()).toHaveLength(TOPOLOGIES.length)
  for (const [n, { nodes, topics }] of (await graphs()).entries()) expectWired(TOPOLOGIES[n] as Topology, nodes, topics)
})

const expectWired = (topology: Topology, nodes: Graph['nodes'], topics: Graph['topics']): void => {
  const { decode, folds, sources, sinks, views, operations } = topology
  const groups = { sources, sinks, views, operations }
  const tasks = [decode(1), folds(1)]
  const wired = {
    processors: tasks.flatMap((task) => task.folds.map(({ processor: { name, version } }) => `${name} v${version}`)),
    tasks: tasks.map(({ name }) => name),
    ...Object.fromEntries(Object.entries(groups).map(([group, named]) => [group, Object.keys(named)])),
  }
  expect(Object.fromEntries(Object.entries(nodes).map(([group, of]) => [group, of.map(({ name }) => name)]))).toEqual(wired)
  expect(topics.map(({ name }) => name)).toEqual(topicsOf(topology).map(({ name }) => name))
}

test('wires every existing topic', () => {
  expect(new Set(topicsOf(LAUNCH_RISK))).toEqual(new Set(Object.values(TOPICS)))
})

test('names a topic for each end of what it prints', async () => {
  for (const { nodes, topics } of await graphs()) {
    const ends = new Set(
      Object.values(nodes)
        .flat()
        .flatMap(({ reads, writes, keeps }) => [...reads, ...writes, ...keeps]),
    )
    expect([...ends].sort()).toEqual(topics.map(({ name }) => name).sort())
  }
})

test('sends facts only to wired processors that accept them', async () => {
  for (const [n, { nodes }] of (await graphs()).entries()) {
    const { processors = [] } = nodes
    const exchange = ['exchange', 'alt-exchange'][n]
    for (const { sends = {} } of processors)
      for (const to of Object.values(sends)) expect(processors.find(({ name }) => name.startsWith(`${to} `))?.reads).toContain(exchange)
  }
})

test('draws the same wiring', async () => {
  const drawing = await printed('--mermaid')
  expect(drawing).toMatch(/^flowchart LR\n/)
  for (const { name } of (await graphs()).flatMap(({ nodes }) => Object.values(nodes).flat())) expect(drawing).toContain(`([${name}])`)
})

test('refuses two formats at once', async () => {
  const edges = fakeEdges({})
  expect(await main(['topology', '--json', '--mermaid'], createIo(edges))).toBe(2)
})
