// Finds the broken laws in the report of a jest run.
import { relative } from 'node:path'
import type { Law } from '../../laws.ts'

/** The fields read from `jest --json`. A file that does not load has no assertions. */
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

/** Names of the laws whose test failed or did not run. `tree`: root of the tested files. */
export const redIn = ({ testResults }: JestReport, laws: readonly Law[], tree: string): string[] => {
  const isRed = (law: Law): boolean => {
    const names = new RegExp(namesOf(law))
    const file = testResults.find(({ name }) => relative(tree, name) === law.test.file)
    const runs = file?.assertionResults.filter(({ fullName }) => names.test(fullName)) ?? []
    return runs.length === 0 || runs.some(({ status }) => status !== 'passed')
  }
  return laws.filter(isRed).map(({ name }) => name)
}
