// Debian's packages of proxies: installed on the machine, or unpacked into a folder, which needs no root.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const DOWNLOAD_MS_MAX = 300_000

/** The program, a file of its configuration that the package has, and packages to unpack: with libraries that are not on every machine. */
const PACKAGES = {
  nginx: { program: 'usr/sbin/nginx', config: 'etc/nginx/nginx.conf', packages: ['nginx', 'nginx-common'] },
  apache: {
    program: 'usr/sbin/apache2',
    config: 'etc/apache2/apache2.conf',
    packages: ['apache2', 'apache2-bin', 'libapr1', 'libaprutil1', 'media-types'],
  },
  haproxy: {
    program: 'usr/sbin/haproxy',
    config: 'etc/haproxy/haproxy.cfg',
    packages: ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
  },
  caddy: { program: 'usr/bin/caddy', config: 'etc/caddy/Caddyfile', packages: ['caddy'] },
  varnish: { program: 'usr/sbin/varnishd', config: 'etc/varnish/default.vcl', packages: ['varnish'] },
  squid: {
    program: 'usr/sbin/squid',
    config: 'etc/squid/squid.conf',
    packages: ['squid', 'squid-common', 'squid-langpack', 'libecap3', 'libltdl7', 'libmnl0', 'libnetfilter-conntrack3', 'libnfnetlink0'],
  },
} as const

export type ProxyName = keyof typeof PACKAGES
export const PROXIES = Object.keys(PACKAGES) as readonly ProxyName[]

export interface InstalledProxy {
  readonly program: string
  readonly config: string
  /** Before the absolute paths of the package's files: `/`, or the folder with a slash at its end. */
  readonly root: string
}

const folder = (): string =>
  process.env.PROXY_PACKAGES ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'mintfold', 'debian')

/** The proxy on this machine, or in the folder PROXY_PACKAGES (default: of the user's cache). Undefined if neither has it. */
export const findProxy = (name: ProxyName): InstalledProxy | undefined =>
  ['/', `${join(folder(), name)}/`]
    .map((root) => ({ program: root + PACKAGES[name].program, config: root + PACKAGES[name].config, root }))
    .find(({ program, config }) => existsSync(program) && existsSync(config))

/** Unpacks the proxy into that folder if it is missing; needs `apt-get` and `dpkg`. */
export const unpackedProxy = async (name: ProxyName): Promise<InstalledProxy> => {
  const target = join(folder(), name)
  const partial = `${target}.${process.pid}`
  if (findProxy(name) === undefined) {
    await mkdir(partial, { recursive: true })
    await run('apt-get', ['download', ...PACKAGES[name].packages], { cwd: partial, timeout: DOWNLOAD_MS_MAX })
    const files = (await readdir(partial)).filter((file) => file.endsWith('.deb'))
    for (const file of files) await run('dpkg', ['-x', file, '.'], { cwd: partial })
    await Promise.all(files.map((file) => rm(join(partial, file))))
    await rename(partial, target)
  }
  const found = findProxy(name)
  if (found === undefined) throw new Error(`the packages of ${name} lack ${PACKAGES[name].program} or ${PACKAGES[name].config}`)
  return found
}
