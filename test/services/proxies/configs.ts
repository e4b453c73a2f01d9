// The configurations that Debian ships, with the least that a reverse proxy to one server needs. Changed are only paths, users and ports,
// because the proxies run beside those of the machine and without its folders.
import { existsSync, readFileSync } from 'node:fs'
import type { InstalledProxy, ProxyName } from './packages.ts'

/** Of one started proxy. */
export interface Place extends InstalledProxy {
  /** Scratch directory. */
  readonly dir: string
  readonly port: number
  /** Port of the server behind it, on loopback. */
  readonly upstream: number
}

export interface Prepared {
  /** Text of the file `configFile` names. */
  readonly config: string
  readonly args: readonly string[]
}

export const configFile = ({ dir }: Place): string => `${dir}/config`

const shipped = ({ config }: Place): string => readFileSync(config, 'utf8')

/** A site of nginx with only this location. */
const nginxSite = ({ port, upstream }: Place, location = '', before = ''): string =>
  `${before}server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstream}; ${location} } }`

/** A cache before the server that keeps every answer for ten minutes unless its headers forbid it; `X-Cache` reports its hits. */
export const nginxCache = (place: Place): Prepared => {
  const kept = 'proxy_cache answers; proxy_cache_valid any 10m; add_header X-Cache $upstream_cache_status always;'
  return nginxConfig(place, nginxSite(place, kept, `proxy_cache_path ${place.dir}/cache keys_zone=answers:1m;\n`))
}

/** `nginx.conf` with another site. @param site in the place of `sites-enabled`. */
export const nginxConfig = (place: Place, site: string): Prepared => {
  const { dir, root } = place
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(' ')
  const config = shipped(place)
    // Workers of another user cannot enter the scratch directory.
    .replace('user www-data;', 'user root;')
    .replace('include /etc/nginx/sites-enabled/*;', `${temporary}\n${site}`)
    .replaceAll('/etc/nginx/', `${root}etc/nginx/`)
    .replaceAll('/var/log/nginx/', `${dir}/`)
    .replace('/run/nginx.pid', `${dir}/nginx.pid`)
  return { config, args: ['-e', `${dir}/error.log`, '-g', 'daemon off;', '-c', configFile(place)] }
}

/** The modules that Debian enables, and the two of a reverse proxy. */
const APACHE_MODULES = (
  'mpm_event authz_core authz_host authn_core authn_file authz_user auth_basic access_compat alias autoindex dir env filter deflate mime ' +
  'negotiation reqtimeout setenvif proxy proxy_http'
).split(' ')

/** The text of their files, with paths of this package. */
const apacheModules = ({ root }: Place): string =>
  APACHE_MODULES.flatMap((name) => ['load', 'conf'].map((kind) => `${root}etc/apache2/mods-available/${name}.${kind}`))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8').replaceAll(/(?<= )\/(?=usr\/lib\/|etc\/mime)/g, root))
    .join('\n')

const prepared: Readonly<Record<ProxyName, (place: Place) => Prepared>> = {
  nginx: (place) => nginxConfig(place, nginxSite(place)),
  apache: (place) => {
    const { dir, port, upstream } = place
    const config = shipped(place)
      .replace(/^IncludeOptional mods-enabled\/\*\.load\n/m, `${apacheModules(place)}\n`)
      .replace(/^(?:IncludeOptional mods-enabled|Include ports|IncludeOptional (?:conf|sites)-enabled).*\n/gm, '')
    const values = { LOG_DIR: dir, RUN_DIR: dir, PID_FILE: `${dir}/apache.pid`, RUN_USER: 'www-data', RUN_GROUP: 'www-data' }
    const defined = Object.entries(values).map(([name, value]) => `Define APACHE_${name} ${value}\n`)
    const site = `Listen 127.0.0.1:${port}\nServerName 127.0.0.1\nProxyPass / http://127.0.0.1:${upstream}/\n`
    return { config: `${defined.join('')}${config}${site}`, args: ['-D', 'FOREGROUND', '-f', configFile(place)] }
  },
  haproxy: (place) => {
    const { root, port, upstream } = place
    const config = shipped(place)
      .replace(/^\s*(?:log \/dev\/log|chroot|stats|user|group|daemon).*\n/gm, '')
      .replaceAll('/etc/haproxy/', `${root}etc/haproxy/`)
    const site = `frontend site\n  bind 127.0.0.1:${port}\n  default_backend server\nbackend server\n  server one 127.0.0.1:${upstream}\n`
    return { config: `${config}\n${site}`, args: ['-db', '-f', configFile(place)] }
  },
  caddy: (place) => caddyConfig(place, `http://127.0.0.1:${place.port} {\n  reverse_proxy 127.0.0.1:${place.upstream}\n}\n`),
  varnish: (place) => {
    const { dir, port, upstream } = place
    return {
      config: shipped(place).replace('"8080"', `"${upstream}"`),
      args: ['-j', 'none', '-F', '-a', `127.0.0.1:${port}`, '-f', configFile(place), '-s', 'malloc,256m', '-n', `${dir}/varnish`],
    }
  },
  squid: (place) => {
    const { dir, root, port, upstream } = place
    const site = [
      `http_port 127.0.0.1:${port} accel defaultsite=127.0.0.1`,
      `cache_peer 127.0.0.1 parent ${upstream} 0 no-query originserver`,
      ...[
        `pid_filename ${dir}/squid.pid`,
        `cache_log ${dir}/cache.log`,
        `unlinkd_program ${root}usr/lib/squid/unlinkd`,
        'access_log none',
        'netdb_filename none',
        'pinger_enable off',
      ],
      ...[`mime_table ${root}usr/share/squid/mime.conf`, `icon_directory ${root}usr/share/squid/icons`],
      ...[`error_directory ${root}usr/share/squid-langpack/templates`, `coredump_dir ${dir}`, 'visible_hostname proxy'],
      // By default it waits 30 s for clients, and leaves shared memory behind if it is killed before.
      'shutdown_lifetime 0 seconds',
      ...(process.getuid?.() === 0 ? ['cache_effective_user proxy'] : []),
    ]
    const config = shipped(place)
      .replace(/^(?:http_port|coredump_dir) .*\n/gm, '')
      .replaceAll('/etc/squid/', `${root}etc/squid/`)
    return { config: `${config}\n${site.join('\n')}\n`, args: ['-N', '-n', `mintfold${port}`, '-f', configFile(place)] }
  },
}

/** @param sites a Caddyfile without global options. */
export const caddyConfig = (place: Place, sites: string): Prepared => ({
  config: `{\n  admin off\n  auto_https disable_redirects\n}\n${sites}`,
  args: ['run', '--adapter', 'caddyfile', '--config', configFile(place)],
})

export const defaultConfig = (name: ProxyName, place: Place): Prepared => prepared[name](place)
