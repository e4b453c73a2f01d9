// The manifests of Kubernetes: valid by its schemas, and consistent with the program: commands, settings, ports, paths.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { Ajv } from 'ajv'
import { ROOT } from '../../tools/project-files.ts'
import { documentsOf, fileOf, isSecret, PARSED, parsedCommand, parseFor, unknownSettings } from './given-deploy.ts'
import { base, configured, envOf, type Kustomization, kustomizations, type Manifest, manifestFiles, workloads } from './kubernetes-given.ts'

const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addSchema(JSON.parse(readFileSync(`${ROOT}test/data/deploy/kubernetes-1.34.json`, 'utf8')) as object, 'kubernetes')

/** Errors of a manifest by the schema of its kind. */
const faultsOf = (manifest: Manifest): readonly string[] => {
  const [group, version = group] = manifest.apiVersion.split('/')
  const name = `io.k8s.api.${manifest.apiVersion.includes('/') ? group?.replace('.k8s.io', '') : 'core'}.${version}.${manifest.kind}`
  const validate = ajv.getSchema(`kubernetes#/$defs/${name}`)
  if (validate === undefined) return [`no schema of ${name}`]
  return validate(manifest) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`)
}
const hasKubectl = (): boolean => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('every manifest of the base is valid by the schemas of Kubernetes, without unknown fields', () => {
  expect(base.length).toBeGreaterThan(8)
  expect(base.flatMap(faultsOf)).toEqual([])
})
test('a misspelled field, a wrong type and a missing selector are refused', () => {
  const [{ manifest }] = workloads as [(typeof workloads)[number]]
  expect(faultsOf({ ...manifest, specs: {} } as Manifest)).not.toEqual([])
  expect(faultsOf({ ...manifest, spec: { ...manifest.spec, replicas: 'two' } } as Manifest)).not.toEqual([])
  const { selector: _, ...spec } = manifest.spec
  expect(faultsOf({ ...manifest, spec } as Manifest)).not.toEqual([])
})
test('kustomizations list every file, and only files that exist', () => {
  const listed = kustomizations.flatMap((path) =>
    documentsOf<Kustomization>(fileOf(path)).flatMap(({ resources, patches = [] }) =>
      [...resources, ...patches.map((patch) => patch.path)].map((name) => normalize(join(dirname(path), name))),
    ),
  )
  expect(listed.filter((path) => path.endsWith('.yaml')).sort()).toEqual([...manifestFiles].sort())
  expect(listed.filter((path) => !path.endsWith('.yaml')).map((path) => basename(path))).toEqual(['base'])
})
;(hasKubectl() ? test : test.skip).each(kustomizations)('kubectl renders %s to valid manifests', (path) => {
  const text = execFileSync('kubectl', ['kustomize', `${ROOT}deploy/${dirname(path)}`], { encoding: 'utf8' })
  const rendered = documentsOf<Manifest>(text)
  expect(rendered.length).toBeGreaterThan(base.length)
  expect(rendered.flatMap(faultsOf)).toEqual([])
  expect(text).toMatch(/image: mintfold:\d+\.\d+\.\d+$/m)
})

describe.each(workloads)('$name', ({ name, manifest, pod, template, container }) => {
  const [role = '', , source = ''] = container.args
  test('runs a command of the program with options that it has', async () => {
    expect(await parsedCommand(container.args)).toEqual(PARSED)
    expect(role).toBe(name)
  })
  test('has settings that the program knows and accepts', () => {
    expect(unknownSettings(envOf(container))).toEqual([])
    expect(() => parseFor(role, source, envOf(container))).not.toThrow()
  })
  test('takes secrets from the secret only, each by its own name', () => {
    const given = [...Object.entries(configured), ...container.env.map((variable) => [variable.name, variable.value] as const)]
    expect(given.filter(([variable, value]) => isSecret(variable) && value).map(([variable]) => variable)).toEqual([])
    const references = container.env.flatMap(({ name: variable, valueFrom }) => (valueFrom ? [[variable, valueFrom.secretKeyRef]] : []))
    expect(references).toEqual(references.map(([variable]) => [variable, expect.objectContaining({ name: 'mintfold', key: variable })]))
  })
  test('runs without root, without privileges, on a read-only file system', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } })
    const restricted = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }
    expect(container.securityContext).toEqual(restricted)
    expect(container.volumeMounts.map(({ mountPath }) => mountPath).sort()).toEqual(['/data', '/tmp'])
    const volumes = [...pod.volumes, ...(manifest.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata)]
    expect(container.volumeMounts.filter((mount) => volumes.every((volume) => volume.name !== mount.name))).toEqual([])
  })
  test('asks for processors and memory, limits memory, and has longer to stop than the program needs', () => {
    expect(container.resources).toMatchObject({ requests: { cpu: expect.any(String), memory: expect.any(String) } })
    expect(container.resources).toMatchObject({ limits: { memory: expect.any(String) } })
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(15)
  })
  test('is probed where the program answers', () => {
    const ports = Object.fromEntries(container.ports.map((port) => [port.name, port.containerPort]))
    expect(ports).toEqual(role === 'serve' ? { api: 8402, metrics: 9464 } : { metrics: 9464 })
    expect(container.livenessProbe.httpGet).toEqual({ path: '/metrics', port: 'metrics' })
    if (role === 'serve') expect(container.readinessProbe?.httpGet).toEqual({ path: '/ready', port: 'api' })
  })
  test('is selected by its own labels', () => {
    expect(template.metadata.labels).toEqual(manifest.spec.selector?.matchLabels)
    expect(template.metadata.labels).toEqual({ 'app.kubernetes.io/component': name })
  })
})
test('process and serve survive the drain of a node: a budget, a spread, a volume of their own', () => {
  const of = (kind: string): readonly string[] => base.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name)
  expect(of('StatefulSet')).toEqual(['process', 'serve'])
  expect(of('PodDisruptionBudget')).toEqual(['process', 'serve'])
  for (const { manifest, pod } of workloads.filter((one) => one.name !== 'capture')) {
    expect(pod).toHaveProperty('topologySpreadConstraints')
    expect(manifest.spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name)).toEqual(['data'])
  }
})
