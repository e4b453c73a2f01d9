// Groups of tests that need something that not every machine has.

export interface Need {
  readonly isThere: boolean
  /** What is missing, and what to do. */
  readonly lack: string
  /** Where this variable is `required`, the group fails instead of being skipped. */
  readonly variable?: string
}

/** Without what they need the tests are skipped and counted, with a notice on stderr. */
export const describeGiven = (name: string, tests: () => void, { isThere, lack, variable = '' }: Need): void => {
  if (isThere) {
    describe(name, tests)
  } else if (process.env[variable] === 'required') {
    describe(name, () => {
      test('has what it needs', () => {
        throw new Error(lack)
      })
    })
  } else {
    process.stderr.write(`SKIPPED: ${name}: ${lack}\n`)
    describe.skip(name, tests)
  }
}
