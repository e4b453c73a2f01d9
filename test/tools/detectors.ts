// Registers the hashes of new detector versions and the hash of the odds features; tests compare them. `npm run detectors`.
import { readFileSync } from 'node:fs'
import { FEATURES_HASH_FILE, featuresHash } from './detectors/features.ts'
import { detectorsIn, FOLDERS, fileOf, registeredIn, registryOf } from './detectors/registry.ts'
import { writeGenerated } from './write-generated.ts'

/** Formatted as biome does: two hashes do not fit on one line. */
const linesOf = (id: string, hashes: readonly string[]): string => {
  const texts = hashes.map((hash) => `'${hash}'`)
  return texts.length === 1 ? `  '${id}': [${texts}],\n` : `  '${id}': [\n${texts.map((text) => `    ${text},\n`).join('')}  ],\n`
}

for (const folder of FOLDERS) {
  const hashes = await registryOf(await detectorsIn(folder), await registeredIn(folder))
  const [head] = readFileSync(fileOf(folder), 'utf8').split('export const')
  const lines = Object.entries(hashes).map(([id, of]) => linesOf(id, of))
  writeGenerated(fileOf(folder), `${head}export const HASHES: Hashes = {\n${lines.join('')}}\n`)
}

const [head] = readFileSync(FEATURES_HASH_FILE, 'utf8').split('export const')
writeGenerated(FEATURES_HASH_FILE, `${head}export const FEATURES_HASH = '${await featuresHash()}'\n`)
