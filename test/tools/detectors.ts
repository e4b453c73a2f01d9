// Registers the hashes of new versions of detectors; tests compare them. `npm run detectors`.
import { readFileSync, writeFileSync } from 'node:fs'
import { detectorsIn, FOLDERS, fileOf, registeredIn, registryOf } from './detectors/registry.ts'

const linesOf = (id: string, hashes: readonly string[]): string =>
  `  '${id}': [\n${hashes.map((hash) => `    '${hash}',\n`).join('')}  ],\n`

for (const folder of FOLDERS) {
  const hashes = await registryOf(await detectorsIn(folder), await registeredIn(folder))
  const [head] = readFileSync(fileOf(folder), 'utf8').split('export const')
  const lines = Object.entries(hashes).map(([id, of]) => linesOf(id, of))
  writeFileSync(fileOf(folder), `${head}export const HASHES: Hashes = {\n${lines.join('')}}\n`)
}
