// The process of the history's engine: the clickhouse-local entry point of libchdb, with its HTTP server on loopback.
// Started by clickhouse-server.ts, never imported. Arguments: data directory, port, configuration file.
// It has no clean shutdown: ClickHouse loses nothing acknowledged when it is killed.
const { Socket } = require('node:net')

/** Exit code by which clickhouse-server.ts recognizes that this platform has no engine. */
const NO_ENGINE = 69
/** A pipe that the parent keeps open while it lives; it closes also on `kill -9`. */
const PARENT_FD = 3
const [dir, port, config] = process.argv.slice(2)

const engineOf = () => {
  const ffi = require('ffi-rs')
  ffi.open({ library: 'chdb', path: require('chdb/libchdb').resolveLibchdb().path })
  return ffi
}

const parent = new Socket({ fd: PARENT_FD, readable: true, writable: false })
const end = () => process.kill(process.pid, 'SIGKILL')
parent.on('end', end).on('error', end).resume()

try {
  const { load, DataType } = engineOf()
  // The last statement keeps the engine running. It must need no right but reading: the user `default` runs it, and anybody can be that user.
  const statements =
    'SYSTEM START LISTEN HTTP; ' +
    'SELECT sleepEachRow(1) FROM system.numbers FORMAT Null SETTINGS max_execution_time = 0, max_block_size = 1, max_threads = 1'
  const argv = [
    'clickhouse',
    `--path=${dir}`,
    `--http_port=${port}`,
    '--listen_host=127.0.0.1',
    `--config-file=${config}`,
    '--multiquery',
    `--query=${statements}`,
  ]
  load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.BigInt,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [argv.length, argv],
    // Keeps this thread free to notice the end of the parent.
    runInNewThread: true,
  }).finally(() => process.reallyExit(1))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = NO_ENGINE
  parent.destroy()
}
