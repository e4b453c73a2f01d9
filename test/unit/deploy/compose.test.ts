// deploy/compose.yaml: valid by the schema of compose, and consistent with the program: commands, settings, ports, secrets.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { ROOT } from '../../tools/project-files.ts'
import { composeWith, DOT_ENV, rolesOf, substituted, written } from './compose-given.ts'
import { fileOf, isSecret, PARSED, parsedCommand, parseFor, unknownSettings } from './given-deploy.ts'

const compose = composeWith(DOT_ENV)
const roles = rolesOf(compose)
const VERSION = (JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string }).version

test('is valid by the schema of the Compose Specification, and a misspelled field is refused', () => {
  const schema = JSON.parse(readFileSync(`${ROOT}test/data/deploy/compose-spec.json`, 'utf8')) as object
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema)
  const valid = validate(compose) ? [] : validate.errors
  expect(valid).toEqual([])
  expect(validate({ services: { a: { image: 'a', comand: ['b'] } } })).toBe(false)
})
test('has every role, with the image of this version', () => {
  expect(roles.map(({ args }) => args[0])).toEqual(['capture', 'process', 'process', 'serve', 'serve', 'sandbox'])
  expect(new Set(roles.map(({ service }) => service.image))).toEqual(new Set([`mintfold:${VERSION}`]))
  expect(fileOf('kubernetes/base/kustomization.yaml')).toContain(`newTag: ${VERSION}`)
})
test('starts only with a password for each service, and has no secret in the file', () => {
  for (const name of ['CLICKHOUSE_PASSWORD', 'REDIS_PASSWORD', 'MINTFOLD_CURSOR_KEYS'])
    expect(() => composeWith({ ...DOT_ENV, [name]: '' })).toThrow(`${name}: see deploy/README.md`)
  const literal = Object.entries(written().services).flatMap(([name, { environment = {} }]) =>
    Object.entries(environment).flatMap(([variable, value]) =>
      isSecret(variable) && !/\$\{\w+:[-?]/.test(String(value)) ? [`${name} ${variable}`] : [],
    ),
  )
  expect(literal).toEqual([])
})
test('passes no password in the arguments of a process', () => {
  const words = Object.values(compose.services).flatMap(({ command = [], healthcheck }) => [...command, ...(healthcheck?.test ?? [])])
  const passwords = Object.entries(DOT_ENV).flatMap(([name, value]) => (isSecret(name) ? [value] : []))
  expect(passwords.length).toBeGreaterThan(2)
  expect(words.filter((word) => passwords.some((password) => word.includes(password)))).toEqual([])
})
test('starts a Redis that writes each payment to its disk at once, and reads its password from stdin', () => {
  const bin = mkdtempSync(join(tmpdir(), 'mintfold-compose-'))
  try {
    writeFileSync(join(bin, 'docker-entrypoint.sh'), '#!/bin/sh\necho "$@"\ncat\n', { mode: 0o755 })
    const { command: [program = '', ...args] = [], environment = {} } = compose.services.redis ?? {}
    const env = { ...environment, PATH: `${bin}:${process.env.PATH}` } as Record<string, string>
    expect(execFileSync(program, args, { env, encoding: 'utf8' }).split('\n')).toEqual([
      'redis-server - --appendonly yes --appendfsync always --maxmemory-policy noeviction',
      `requirepass "${DOT_ENV.REDIS_PASSWORD}"`,
      '',
    ])
  } finally {
    rmSync(bin, { recursive: true })
  }
})
test('publishes ports on loopback only, and none twice', () => {
  const ports = Object.values(compose.services).flatMap(({ ports: published = [] }) => published)
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  expect(new Set(ports.map((port) => port.split(':')[1])).size).toBe(ports.length)
})
test('waits for services that report their health, and gives each process a declared volume of its own', () => {
  const entries = Object.values(compose.services)
  const awaited = entries.flatMap(({ depends_on = {} }) => Object.entries(depends_on))
  expect(awaited.length).toBeGreaterThan(10)
  expect(awaited.filter(([name, { condition }]) => condition !== 'service_healthy' || !compose.services[name]?.healthcheck)).toEqual([])
  const volumes = entries.flatMap(({ volumes: mounted = [] }) => mounted.map((volume) => volume.split(':')[0]))
  expect(volumes.sort()).toEqual(Object.keys(compose.volumes).sort())
})
test('limits the memory of every service, and pins every image to a version', () => {
  expect(Object.entries(compose.services).filter(([, { mem_limit: limit }]) => limit === undefined)).toEqual([])
  expect(Object.values(compose.services).filter(({ image }) => !/:\d+\.\d+/.test(image))).toEqual([])
})
test('substitutes variables as compose does', () => {
  const variable = (rest: string): string => `$\{${rest}}`
  expect(substituted(['A', 'B:-x', 'C:-y'].map(variable).join(' '), { A: '1', B: '2' })).toBe('1 2 y')
  expect(substituted('$$A', { A: '1' })).toBe('$A')
})

describe.each(roles)('$name', ({ service, args, env }) => {
  const [role = '', , source = ''] = args
  test('runs a command of the program with options that it has', async () => {
    expect(await parsedCommand(args)).toEqual(PARSED)
  })
  test('has settings that the program knows and accepts', () => {
    expect(unknownSettings(env)).toEqual([])
    expect(() => parseFor(role, source, env)).not.toThrow()
  })
  test('runs on a read-only file system without privileges, and has longer to stop than the program needs', () => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(service.tmpfs).toEqual([expect.stringMatching(/^\/tmp:/)])
    expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(10)
    if (role !== 'capture') expect(service.volumes).toEqual([expect.stringMatching(/:\/data$/)])
  })
})
