// Prints the `mintfold buy` command for a request, ready to paste into a shell.
import { API_PORT, DATA_DIR } from '../../settings/settings-values.ts'

const DEFAULT_SERVER = `http://127.0.0.1:${API_PORT}`
/** Characters that a shell does not interpret. */
const PLAIN = /^[\w./:@%+=,~-]+$/

/** Works in the directory in which the server was started; defaults are omitted. */
export const buyCommand = (dataDir: string, server: string, path: string): string => {
  const data = dataDir === DATA_DIR ? '' : `MINTFOLD_DATA_DIR=${quoted(dataDir)} `
  return `${data}npx mintfold buy ${quoted(path)}${server === DEFAULT_SERVER ? '' : ` --server ${quoted(server)}`}`
}

const quoted = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
