// Programs of the machine that some tests need.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program in PATH; undefined if the machine does not have it. */
export const programPath = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
