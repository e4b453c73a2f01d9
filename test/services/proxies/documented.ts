// The configurations of `deploy/proxy.md`, run as they are with a self-signed certificate: only ports and paths are replaced.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { blocksOf, documents } from '../../tools/documents/markdown.ts'
import { caddyConfig, nginxConfig, type Place, type Prepared } from './configs.ts'

/** The name in the documented configurations. */
export const SITE = 'cards.example'

/** Writes `certificate.pem` and `key.pem` for that name. */
const certify = async ({ dir }: Place): Promise<void> => {
  const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'certificate.pem')]
  const names = ['-subj', `/CN=${SITE}`, '-addext', `subjectAltName=DNS:${SITE}`]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await promisify(execFile)('openssl', ['req', '-x509', '-days', '2', ...key, ...files, ...names])
}

export const certificateIn = (dir: string): Promise<string> => readFile(join(dir, 'certificate.pem'), 'utf8')

/** The block of this language. @throws Error if the page lacks it, or what is to be replaced in it. */
const documented = (language: string, replaced: Readonly<Record<string, string>>): string => {
  const text = documents
    .filter(({ path }) => path === 'deploy/proxy.md')
    .flatMap(blocksOf)
    .find((block) => block.language === language)?.text
  if (text === undefined) throw new Error(`deploy/proxy.md has no block of ${language}`)
  return Object.entries(replaced).reduce((made, [from, to]) => {
    if (!made.includes(from)) throw new Error(`the block of ${language} in deploy/proxy.md lacks ${from}`)
    return made.replace(from, to)
  }, text)
}

export const documentedNginx = async (place: Place): Promise<Prepared> => {
  await certify(place)
  const { dir, port, upstream } = place
  return nginxConfig(
    place,
    documented('nginx', {
      'listen 443': `listen 127.0.0.1:${port}`,
      [`/etc/ssl/certs/${SITE}.pem`]: `${dir}/certificate.pem`,
      [`/etc/ssl/private/${SITE}.key`]: `${dir}/key.pem`,
      ':8402': `:${upstream}`,
    }),
  )
}

/** With that certificate instead of an obtained one. */
export const documentedCaddy = async (place: Place): Promise<Prepared> => {
  await certify(place)
  const { dir, port, upstream } = place
  const site = `https://${SITE}:${port} {\n  bind 127.0.0.1\n  tls ${dir}/certificate.pem ${dir}/key.pem`
  return caddyConfig(place, documented('caddyfile', { [`${SITE} {`]: site, ':8402': `:${upstream}` }))
}
