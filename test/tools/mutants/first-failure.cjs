// Jest reporter for mutants: one failed test is enough. Names its file and ends the run; whoever started it clears up.
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
