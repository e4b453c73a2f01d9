// Writes a generated file, and prints whether it changed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

export const writeGenerated = (file: string, text: string): void => {
  const isSame = existsSync(file) && readFileSync(file, 'utf8') === text
  if (!isSame) writeFileSync(file, text)
  console.log(`${isSame ? 'unchanged' : 'written  '}  ${relative('.', file)}`)
}
