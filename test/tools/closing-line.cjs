// Jest reporter: prints `N passed, N failed` (and `, N skipped`) as the last line of a run. A file that does not load counts as one failure.
// FAILED_SUITES names a file that gets the paths of the files with failures, one per line.
const { writeFileSync, writeSync } = require('node:fs')

module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const skipped = results.numPendingTests + results.numTodoTests
    const failed = results.testResults.filter((file) => file.testExecError || file.numFailingTests > 0)
    const broken = failed.filter((file) => file.testExecError).length
    const tail = skipped > 0 ? `, ${skipped} skipped` : ''
    const line = `${results.numPassedTests} passed, ${results.numFailedTests + broken} failed${tail}\n`
    if (process.env.FAILED_SUITES) writeFileSync(process.env.FAILED_SUITES, failed.map((file) => `${file.testFilePath}\n`).join(''))
    process.on('exit', () => writeSync(1, line)) // process.stdout is muted by --forceExit
  }
}
