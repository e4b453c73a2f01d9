// The process of the history's engine: the clickhouse-local entry point of libchdb, with its HTTP server on loopback.
// Started by engine.ts, never imported. Arguments: the directory of the data, the directory with config.xml, the port.
// It has no clean shutdown: ClickHouse loses nothing acknowledged when it is killed.
//
// The engine lets every user call the scalar function file(), with the rights of this account. Two walls stand before it (a third is in
// engine.ts: a function of that name): Landlock, and where the system has none a working directory that is removed, without which file()
// and the table function file() fail (formats with a schema, such as Protobuf, fail too).
// Landlock holds for the thread that sets it and for threads started later. So everything here is CommonJS and synchronous until then: an
// ES module or a promise of `fs` starts threads before.
const fs = require('node:fs')
const { Socket } = require('node:net')
const { join } = require('node:path')

/** Exit code by which engine.ts recognizes that this platform has no engine. */
const NO_ENGINE = 69
/** A pipe that the parent keeps open while it lives; it closes also on `kill -9`. */
const PARENT_FD = 3
const POLL_MS = 5
/** At least as many as threads of node's pool. */
const PROBES = 16
/** What the engine reads in addition, by the kernel's answers to it: limits of memory, its own size, random bytes. */
const SYSTEM_FILES = ['/sys/fs/cgroup', '/proc/meminfo', '/proc/self/statm', '/dev/urandom']
/**
 * The last statement keeps the engine running. The engine runs them as the user `default`, whose quota they use up: engine-config.ts
 * counts them.
 */
const STATEMENTS = 'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(1) FROM system.numbers FORMAT Null'
const [data, own, port] = process.argv.slice(2)

const parent = new Socket({ fd: PARENT_FD, readable: true, writable: false })
const end = () => process.kill(process.pid, 'SIGKILL')
parent.on('end', end).on('error', end).resume()

/** See landlock(7) and linux/landlock.h: the numbers of system calls and rights are those of every architecture. */
const CREATE_RULESET = 444
const ADD_RULE = 445
const RESTRICT_SELF = 446
const PATH_BENEATH = 1
const WRITE_FILE = 1n << 1n
const READ_FILE = 1n << 2n
const READ_DIR = 1n << 3n
const TRUNCATE = 1n << 14n
const EXECUTE = 1n
const CONNECT_TCP = 2n
const SET_NO_NEW_PRIVS = 38
/** The first version with renames from one directory to another, which the engine needs: Linux 5.19. */
const ABI_MIN = 2
/** Rights on files by version: 15 from version 3, 16 from version 5. */
const rightsOf = (abi) => (1n << BigInt(abi >= 5 ? 16 : abi >= 3 ? 15 : 14)) - 1n
/** Bytes of landlock_ruleset_attr by version: with rights on the network from 4 on, with scopes from 6 on. */
const sizeOf = (abi) => (abi >= 6 ? 24 : abi >= 4 ? 16 : 8)

/**
 * Allows this process and its later threads to read and write below `data` and `own`, to read four files of the system, and from Linux 6.7
 * on to connect to no address by TCP. Returns false where the system has no Landlock that the engine can use.
 */
const restrict = ({ load, DataType }) => {
  if (process.platform !== 'linux') return false
  const { I32, I64, U8Array } = DataType
  const call = (name, retType, types, values) =>
    Number(load({ library: 'c', funcName: name, retType, paramsType: types, paramsValue: values }))
  const syscall = (...values) =>
    call(
      'syscall',
      I64,
      values.map((value) => (Buffer.isBuffer(value) ? U8Array : I64)),
      values,
    )
  const abi = syscall(CREATE_RULESET, 0, 0, 1)
  if (abi < ABI_MIN) return false
  const all = rightsOf(abi)
  const attributes = Buffer.alloc(24)
  attributes.writeBigUInt64LE(all, 0)
  attributes.writeBigUInt64LE(CONNECT_TCP, 8)
  const ruleset = syscall(CREATE_RULESET, attributes, sizeOf(abi), 0)
  const allow = (path, rights) => {
    const fd = fs.openSync(path, 'r')
    const rule = Buffer.alloc(12)
    const possible = fs.fstatSync(fd).isDirectory() ? all : READ_FILE | WRITE_FILE | TRUNCATE
    rule.writeBigUInt64LE(rights & possible & all, 0)
    rule.writeInt32LE(fd, 8)
    if (syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0) < 0) throw new Error(`Landlock refuses a rule for ${path}`)
    fs.closeSync(fd)
  }
  for (const path of [data, own]) allow(path, all & ~EXECUTE)
  for (const path of SYSTEM_FILES) if (fs.existsSync(path)) allow(path, READ_FILE | READ_DIR)
  call('prctl', I32, [I32, I64, I64, I64, I64], [SET_NO_NEW_PRIVS, 1, 0, 0, 0])
  if (syscall(RESTRICT_SELF, ruleset, 0) < 0) throw new Error('Landlock refuses to restrict this process')
  return true
}

/** Whether a thread of the pool, in which the engine runs, can still open a file that it should not. */
const isOpen = async () => {
  const tries = await Promise.allSettled(Array.from({ length: PROBES }, () => fs.promises.readFile(__filename)))
  return tries.some(({ status }) => status === 'fulfilled')
}

/** A failure of the configuration is only in the result. */
const failureIn = ({ load, DataType }, result) =>
  result === 0n
    ? ''
    : load({
        library: 'chdb',
        funcName: 'chdb_result_error',
        retType: DataType.String,
        paramsType: [DataType.BigInt],
        paramsValue: [result],
      })

const fail = (words, code) => {
  fs.writeSync(process.stderr.fd, `${words}\n`)
  process.reallyExit(code)
}

const run = (ffi) => {
  const { load, DataType } = ffi
  const [statements, cwd] = [join(own, 'statements'), join(own, 'cwd')]
  const mkfifo = { library: 'c', funcName: 'mkfifo', retType: DataType.I32, paramsType: [DataType.String, DataType.I32] }
  if (load({ ...mkfifo, paramsValue: [statements, 0o600] }) !== 0) throw new Error(`the file system of ${own} has no named pipes`)
  const isRestricted = restrict(ffi)
  if (!isRestricted) {
    fs.mkdirSync(cwd)
    process.chdir(cwd)
  }
  const argv = [
    'clickhouse',
    `--path=${data}`,
    `--http_port=${port}`,
    '--listen_host=127.0.0.1',
    `--config-file=${join(own, 'config.xml')}`,
    '--multiquery',
    `--queries-file=${statements}`,
  ]
  load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.BigInt,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [argv.length, argv],
    // Keeps this thread free to notice the end of the parent.
    runInNewThread: true,
  }).then((result) => fail(failureIn(ffi, result).split('\n')[0], 1), end)
  return isRestricted
}

/** The engine opens the pipe of its statements when it has started: only then may the working directory go, and only then may it listen. */
const listen = async (isRestricted) => {
  let pipe
  try {
    pipe = fs.openSync(join(own, 'statements'), fs.constants.O_WRONLY | fs.constants.O_NONBLOCK)
  } catch (error) {
    if (error.code !== 'ENXIO') throw error
    setTimeout(listen, POLL_MS, isRestricted)
    return
  }
  if (!isRestricted) fs.rmdirSync(join(own, 'cwd'))
  else if (await isOpen()) fail('Landlock does not hold for the threads of the engine', NO_ENGINE)
  fs.writeSync(pipe, STATEMENTS)
  fs.closeSync(pipe)
}

try {
  const ffi = require('ffi-rs')
  ffi.open({ library: 'chdb', path: require('chdb/libchdb').resolveLibchdb().path })
  ffi.open({ library: 'c', path: process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6' })
  listen(run(ffi))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = NO_ENGINE
  parent.destroy()
}
