/**
 * Ends the run with one line a script can read: `N passed, N failed, N skipped`, counting tests; a file
 * that could not be run counts as one failed test.
 *
 * Before it, files are named whose suites say `[needs …]` and were skipped for want of it, so that a
 * green run on a small machine does not read as a full one.
 */
const NEEDS = /\[needs ([^\]]+)\]/;

module.exports = class TallyReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const tally = `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`;
    const lines = [...skippedFiles(results), tally, ''];
    // Jest prints its summary and its warnings after us; only the exit itself comes later than those.
    process.once('exit', () => process.stdout.write(lines.join('\n')));
  }
};

function skippedFiles(results) {
  const lines = results.testResults.flatMap(({ testFilePath, testResults }) =>
    testResults
      .filter(({ status }) => status === 'pending')
      .map(({ ancestorTitles }) => NEEDS.exec(ancestorTitles.join(' '))?.[1])
      .filter((need) => need !== undefined)
      .map(
        (need) => `skipped for want of ${need}: ${testFilePath.slice(process.cwd().length + 1)}`,
      ),
  );
  return [...new Set(lines)].sort();
}
