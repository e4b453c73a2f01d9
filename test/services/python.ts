// Virtual environments of Python with packages, each made once in the user's cache, on request and if Python is installed.
import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const INSTALL_MS_MAX = 300_000

/** True if tests with Python run: `PYTHON_TESTS` is `required` (fails where they cannot) or `yes`. */
export const isPythonAsked = ['required', 'yes'].includes(process.env.PYTHON_TESTS ?? '')

/**
 * Path of an interpreter that has the packages, each `name==version`: another list is another environment. `isAlone`: without their
 * dependencies. Rejects if Python or the packages are unavailable.
 */
export const pythonWith = async (packages: readonly string[], isAlone = false): Promise<string> => {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'mintfold', `python-${packages.map((name) => name.replace(/[^\w.]+/g, '-')).join('-')}`)
  const [python, mark] = [join(folder, 'bin', 'python'), join(folder, 'installed')]
  const isThere = await access(mark).then(
    () => true,
    () => false,
  )
  if (isThere) return python
  await mkdir(folder, { recursive: true })
  await run('python3', ['-m', 'venv', folder], { timeout: INSTALL_MS_MAX })
  // Python compiles what it imports; compiling whole packages takes longer than their installation.
  const options = ['--quiet', '--no-compile', ...(isAlone ? ['--no-deps'] : [])]
  await run(python, ['-m', 'pip', 'install', ...options, ...packages], { timeout: INSTALL_MS_MAX })
  await writeFile(mark, '')
  return python
}
