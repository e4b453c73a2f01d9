// Jest reporter for mutants: on the first failed test it prints the file's name and ends the run; the caller cleans up.
module.exports = class FirstFailure {
  onTestCaseResult(test, { status }) {
    if (status === 'failed') this.end(test.path)
  }
  onTestResult(test, { testExecError }) {
    if (testExecError) this.end(test.path)
  }
  end(path) {
    process.stderr.write(`\nFAIL ${path}\n`, () => process.exit(1))
  }
}
