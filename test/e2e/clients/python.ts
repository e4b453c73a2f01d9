// A virtual environment with the Python clients, made once in the user's cache where Python is there and it is asked for.
import { execFile } from 'node:child_process'
import { access, mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Named with their versions, so that another list is another environment. */
const PACKAGES = ['x402[svm,httpx]==2.25.0', 'mcp==2.3.0'] as const
const INSTALL_MS_MAX = 300_000

/** True where tests with Python run: `PYTHON_TESTS` is `required` (a failure where they cannot) or `yes`. */
export const isPythonAsked = ['required', 'yes'].includes(process.env.PYTHON_TESTS ?? '')

/** Path of an interpreter that has the clients. Rejects where Python or the packages cannot be had. */
export const pythonWithClients = async (): Promise<string> => {
  const folder = join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'mintfold',
    `python-clients-${PACKAGES.map((name) => name.split('==')[1]).join('-')}`,
  )
  const python = join(folder, 'bin', 'python')
  const mark = join(folder, 'bin', 'uvicorn')
  const isThere = await access(mark).then(
    () => true,
    () => false,
  )
  if (isThere) return python
  await mkdir(folder, { recursive: true })
  await run('python3', ['-m', 'venv', folder], { timeout: INSTALL_MS_MAX })
  await run(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES], { timeout: INSTALL_MS_MAX })
  return python
}
