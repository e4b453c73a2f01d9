// Writes the files generated from the product; tests compare them. `npm run documents`.
import { writeFile } from 'node:fs/promises'
import { generated } from './documents/generated.ts'

for (const { file, make } of generated) await writeFile(file, await make())
