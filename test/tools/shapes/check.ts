// Validates bodies against their published schemas.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { answerNames, components } from '../../shipped.ts'

/** Violations of the schema component `name` by a body, each with its path. */
type FaultsAs = (name: string, body: unknown) => readonly string[]

/** Validates against a server's components. Each is compiled at first use, because most tests need only a few. */
const faultsBy = (published: Readonly<Record<string, unknown>>): FaultsAs => {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    code: { optimize: false },
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
  })
  ajv.addVocabulary(['components'])
  ajv.addSchema({ $id: 'api', components: { schemas: published } })
  const validators = new Map<string, ReturnType<typeof ajv.compile>>()
  return (name, body) => {
    if (!(name in published)) return [`no component ${name}`]
    const validate = validators.get(name) ?? ajv.compile({ $ref: `api#/components/schemas/${name}` })
    validators.set(name, validate)
    return validate(body)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
  }
}
export const faultsAs = faultsBy(components)

/** Name of the schema component of a status of a path. */
export const componentOf = (path: string | undefined, status: number): string => {
  if (status === 402) return 'PaymentRequired'
  if (status === 422) return 'ValidationError'
  if (path === '/health' && status === 503) return 'HealthAnswer'
  return status === 200 ? (answerNames[path ?? ''] ?? `an answer of ${path}`) : 'Refusal'
}
