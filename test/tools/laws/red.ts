// Which laws a run of jest shows as broken.
import { relative } from 'node:path'
import type { Law } from '../../laws.ts'

/** What of `jest --json` is read. A file that does not load has no assertions. */
export interface JestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Matches the full names of a law's test, one for each row of a `test.each`. */
export const namesOf = ({ test }: Pick<Law, 'test'>): string => {
  const name = escaped(test.titles.join(' '))
  return `^${name.replace(/%[a-z]/g, '.+')}$`
}

/** Names of the laws of which a test failed or did not run. `tree`: root of the files that ran. */
export const redIn = ({ testResults }: JestReport, laws: readonly Law[], tree: string): string[] => {
  const isRed = (law: Law): boolean => {
    const names = new RegExp(namesOf(law))
    const file = testResults.find(({ name }) => relative(tree, name) === law.test.file)
    const runs = file?.assertionResults.filter(({ fullName }) => names.test(fullName)) ?? []
    return runs.length === 0 || runs.some(({ status }) => status !== 'passed')
  }
  return laws.filter(isRed).map(({ name }) => name)
}

/** @throws where `find` is not there exactly once */
export const broken = (text: string, { find, put }: Law['breaking']): string => {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`${parts.length - 1} times in the file, not once: ${find}`)
  return parts.join(put)
}
