// deploy/compose.yaml, typed as far as tests read it, with the variables of an .env file substituted.
import type { Env } from '../../../topology/cli/settings/settings.ts'
import { documentsOf, fileOf } from './given-deploy.ts'

interface Check {
  readonly test: readonly string[]
}
interface Service {
  readonly image: string
  readonly build?: object
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly healthcheck?: Check
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly profiles?: readonly string[]
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
  readonly mem_limit?: string
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

/** An operator's .env. */
export const DOT_ENV: Readonly<Record<string, string>> = {
  CLICKHOUSE_PASSWORD: 'password-of-clickhouse',
  REDIS_PASSWORD: 'password-of-redis',
  MINTFOLD_CURSOR_KEYS: 'k'.repeat(32),
  X402_FACILITATOR_URL: 'http://sandbox:8404/facilitator',
  X402_PAY_TO: 'CT5fP5EA81kmgN3r5Z8z7zehov8CWGhqd79oatCgnr4C',
}

/** Substitutes variables of a string as compose does: `${NAME}`, `${NAME:-default}`, `${NAME:?message}`; `$$` is a `$`. @throws if one is required */
export const substituted = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (all, name: string, kind: string | undefined, rest = '') => {
    if (all === '$$') return '$'
    const value = variables[name] ?? ''
    if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`)
    return value === '' && kind === '-' ? rest : value
  })
const substitutedIn = (value: unknown, variables: Readonly<Record<string, string>>): unknown => {
  if (typeof value === 'string') return substituted(value, variables)
  if (Array.isArray(value)) return value.map((one) => substitutedIn(one, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, substitutedIn(one, variables)]))
}

/** The file without substitution. */
export const written = (): Compose => {
  const [compose] = documentsOf<Compose>(fileOf('compose.yaml'))
  if (compose === undefined) throw new Error('compose.yaml is empty')
  return compose
}
export const composeWith = (variables: Readonly<Record<string, string>>): Compose => substitutedIn(written(), variables) as Compose
/** Services that run our image, with their commands. */
export const rolesOf = ({ services }: Compose) =>
  Object.entries(services).flatMap(([name, service]) =>
    service.image.startsWith('mintfold:') ? [{ name, service, args: service.command ?? [], env: envOf(service) }] : [],
  )
const envOf = ({ environment = {} }: Service): Env =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))
