// Jest reporter: prints `N passed, N failed` (and `, N skipped`) as the last line of a run. A file that does not load counts as one failure.
const { writeSync } = require('node:fs')

module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const skipped = results.numPendingTests + results.numTodoTests
    const broken = results.testResults.filter((file) => file.testExecError).length
    const tail = skipped > 0 ? `, ${skipped} skipped` : ''
    const line = `${results.numPassedTests} passed, ${results.numFailedTests + broken} failed${tail}\n`
    process.on('exit', () => writeSync(1, line)) // process.stdout is muted by --forceExit
  }
}
