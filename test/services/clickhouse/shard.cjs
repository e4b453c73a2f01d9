// One server of a test's cluster: the embedded engine, with HTTP and native protocol on loopback. Arguments: data directory, configuration
// file, HTTP port, native port. Ends with its parent, which holds the pipe at fd 3.
const { Socket } = require('node:net')
const ffi = require('ffi-rs')

const [dir, config, http, native] = process.argv.slice(2)
const end = () => process.kill(process.pid, 'SIGKILL')
new Socket({ fd: 3, readable: true, writable: false }).on('end', end).on('error', end).resume()

ffi.open({ library: 'chdb', path: require('chdb/libchdb').resolveLibchdb().path })
const statements =
  'SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; ' +
  'SELECT sleepEachRow(1) FROM system.numbers FORMAT Null SETTINGS max_execution_time = 0, max_block_size = 1, max_threads = 1'
const argv = [
  ...['clickhouse', `--path=${dir}`, `--http_port=${http}`, `--tcp_port=${native}`, '--listen_host=127.0.0.1'],
  ...[`--config-file=${config}`, '--multiquery', `--query=${statements}`],
]
ffi
  .load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: ffi.DataType.BigInt,
    paramsType: [ffi.DataType.I32, ffi.DataType.StringArray],
    paramsValue: [argv.length, argv],
    runInNewThread: true,
  })
  .finally(() => process.reallyExit(1))
