// Writes the files generated from the product, and prints which of them changed; tests compare them. `npm run documents`.
import { generated } from './documents/generated.ts'
import { writeGenerated } from './write-generated.ts'

for (const { file, make } of generated) writeGenerated(file, await make())
