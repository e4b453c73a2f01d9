// Lists the files generated from the product, in the order of their dependencies.
import { fileURLToPath } from 'node:url'
import { conformanceTable } from '../../conformance/table.ts'
import { harness } from '../../integration/api-harness.ts'
import { components } from '../../shipped.ts'
import { clientTypes } from './client-types.ts'
import { makeExamples } from './examples.ts'
import { systemPictures } from './system-picture.ts'
import { withTable } from './tables.ts'

export interface Generated {
  readonly file: string
  make(): Promise<string>
}

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const under = (path: string): string => at(`query-api/${path}`)

export const generated: readonly Generated[] = [
  { file: under('discovery/examples.json'), make: makeExamples },
  {
    file: under('guides/client-types.ts'),
    make: async () => clientTypes((await harness().get('/openapi.json')).body as Record<string, unknown>, components),
  },
  { file: under('guides/conformance.md'), make: async () => conformanceTable() },
  { file: under('README.md'), make: async () => withTable(under('README.md'), 'routes') },
  { file: at('deploy/README.md'), make: async () => withTable(at('deploy/README.md'), 'settings') },
  { file: at('topology/README.md'), make: async () => withTable(at('topology/README.md'), 'laws') },
  ...systemPictures.map(({ name, svg }) => ({ file: at(`deploy/pictures/system-${name}.svg`), make: async () => svg })),
]
