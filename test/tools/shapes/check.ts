// Whether a body is what is published of it.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { answerNames, components } from '../../../query-api/answer-schemas/answers.ts'

const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  allErrors: true,
  code: { optimize: false },
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
})
ajv.addVocabulary(['components'])
ajv.addSchema({ $id: 'api', components: { schemas: components } })

const validators = new Map<string, ReturnType<typeof ajv.compile>>()
/** Compiled when it is first asked for: most tests look at a few of them. */
const validatorOf = (name: string): ReturnType<typeof ajv.compile> | undefined => {
  if (!(name in components)) return undefined
  const validator = validators.get(name) ?? ajv.compile({ $ref: `api#/components/schemas/${name}` })
  validators.set(name, validator)
  return validator
}

/** What is wrong with a body as the component `name`, by place. */
export const faultsAs = (name: string, body: unknown): readonly string[] => {
  const validate = validatorOf(name)
  if (validate === undefined) return [`no component ${name}`]
  return validate(body)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
}

/** Name of the component that a status of a path answers with. */
export const componentOf = (path: string | undefined, status: number): string => {
  if (status === 402) return 'PaymentRequired'
  if (status === 422) return 'ValidationError'
  if (path === '/health' && status === 503) return 'HealthAnswer'
  return status === 200 ? (answerNames[path ?? ''] ?? `an answer of ${path}`) : 'Refusal'
}
