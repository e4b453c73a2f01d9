// The manifests of deploy/kubernetes, typed as far as tests read them.
import { parseEnv } from 'node:util'
import type { Env } from '../../../topology/cli/settings/settings.ts'
import { documentsOf, fileOf, filesUnder, OPERATOR } from './given-deploy.ts'

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}
export interface Container {
  readonly name: string
  readonly args: readonly string[]
  readonly env: readonly Variable[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly readinessProbe?: Probe
  readonly livenessProbe: Probe
  readonly securityContext: object
  readonly resources: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}
interface PodSpec {
  readonly securityContext: object
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly Container[]
  readonly volumes: readonly { readonly name: string }[]
}
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: object }
  readonly spec: {
    readonly selector?: { readonly matchLabels?: object }
    readonly podSelector?: object
    readonly template?: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec }
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
  }
}
export interface Kustomization {
  readonly resources: readonly string[]
  readonly patches?: readonly { readonly path: string }[]
}

const FOLDER = 'kubernetes/'
const BASE = `${FOLDER}base/`
const isManifest = (path: string): boolean => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml')

/** Paths of every file of manifests. */
export const manifestFiles = filesUnder(FOLDER).filter(isManifest)
export const kustomizations = filesUnder(FOLDER).filter((path) => path.endsWith('kustomization.yaml'))
export const base = manifestFiles.filter((path) => path.startsWith(BASE)).flatMap((path) => documentsOf<Manifest>(fileOf(path)))
/** Settings of the ConfigMap. */
export const configured: Env = parseEnv(fileOf(`${BASE}settings.env`))

/** Every workload with its only container. */
export const workloads = base.flatMap((manifest) => {
  const { template } = manifest.spec
  return template === undefined
    ? []
    : template.spec.containers.map((container) => ({ name: manifest.metadata.name, manifest, template, pod: template.spec, container }))
})

/** The variables of a container: the ConfigMap, its own, and an operator's values for secrets and for values left open. */
export const envOf = ({ env }: Container): Env => {
  const own = env.map(({ name, value }) => [name, value ?? OPERATOR[name] ?? 'secret'] as const)
  const open = Object.entries(configured).map(([name, value]) => [name, value || OPERATOR[name]] as const)
  return Object.fromEntries([...open, ...own])
}
