// Sizes of lines; biome holds those of files and functions.
import type { Source } from './source.ts'

const LINE_CHARACTERS_MAX = 140

/** Lines that are too long. Text in quotes does not count: sentences for people are not wrapped. */
export const lineFaults = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] =>
  text.split('\n').flatMap((line, index) => {
    const characters = line.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, "''").length
    return characters > LINE_CHARACTERS_MAX ? [`${path}:${index + 1} has ${characters} characters, at most ${LINE_CHARACTERS_MAX}`] : []
  })
