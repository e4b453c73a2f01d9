// The command that buys an answer of a running server, as a person types it.
import { API_PORT, DATA_DIR } from '../../settings/settings-values.ts'

const DEFAULT_SERVER = `http://127.0.0.1:${API_PORT}`
/** A shell takes these as they are. */
const PLAIN = /^[\w./:@%+=,~-]+$/

/** Works as it stands from the directory in which the server was started; what is default is left out. */
export const buyCommand = (dataDir: string, server: string, path: string): string => {
  const data = dataDir === DATA_DIR ? '' : `MINTFOLD_DATA_DIR=${quoted(dataDir)} `
  return `${data}npx mintfold buy ${quoted(path)}${server === DEFAULT_SERVER ? '' : ` --server ${quoted(server)}`}`
}

const quoted = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
