// What is made from the product itself, in the order in which one needs the other.
import { fileURLToPath } from 'node:url'
import { conformanceTable } from '../../conformance/table.ts'
import { harness } from '../../integration/api-harness.ts'
import { clientTypes } from './client-types.ts'
import { makeExamples } from './examples.ts'

export interface Generated {
  readonly file: string
  make(): Promise<string>
}

const under = (path: string): string => fileURLToPath(new URL(`../../../query-api/${path}`, import.meta.url))

export const generated: readonly Generated[] = [
  { file: under('discovery/examples.json'), make: makeExamples },
  {
    file: under('guides/client-types.ts'),
    make: async () => clientTypes((await harness().get('/openapi.json')).body as Record<string, unknown>),
  },
  { file: under('guides/conformance.md'), make: async () => conformanceTable() },
]
