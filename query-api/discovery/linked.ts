// Documents that `/openapi.json` links, so that readers load only what they need: the JSON Schema of each answer, complete in itself, and an
// example of each answer.
import { componentsOf } from '../answer-schemas/answers.ts'
import { nameIn, type Schema } from '../answer-schemas/json-schema.ts'
import { perDetectors } from '../answer-schemas/per-detectors.ts'
import { sharedParts } from '../answer-schemas/shared.ts'
import type { Service } from '../answers/service.ts'
import { type Answer, refusal } from '../questions/bodies.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { FRESH_S } from './documents.ts'
import { exampleOf } from './examples.ts'
import { shownOf } from './shown.ts'

export const SCHEMAS_PATH = '/schemas/'
export const EXAMPLES_PATH = '/examples/'
const FILE = /^(\w+)\.json$/

type Components = Readonly<Record<string, Schema>>

/** Operation in `/openapi.json`: the tool's name, else derived from the path: `/v1/check/mint/{mint}` is `check_mint`. */
export const operationIdOf = ({ path, tool }: Pick<QuestionFacts, 'path' | 'tool'>): string =>
  tool ??
  (path === '/'
    ? 'index'
    : path
        .replace(/^\/(v1\/|\.well-known\/)?/, '')
        .replaceAll(/\/?\{\w+\}/g, '')
        .replaceAll(/\W+/g, '_'))

export const schemaUrl = ({ options: { baseUrl } }: Service, name: string): string => `${baseUrl}${SCHEMAS_PATH}${name}.json`
export const exampleUrl = ({ options: { baseUrl } }: Service, operationId: string): string =>
  `${baseUrl}${EXAMPLES_PATH}${operationId}.json`

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g

/** The component and those that it refers to, in this order. */
export const reachable = (components: Components, ...names: readonly string[]): Components => {
  const found: Record<string, Schema> = {}
  const add = (name: string): void => {
    const schema = components[name]
    if (name in found || schema === undefined) return
    found[name] = schema
    for (const [reference] of JSON.stringify(schema).matchAll(REFERENCE)) add(nameIn(reference.slice(1, -1)))
  }
  for (const name of names) add(name)
  return found
}

/** JSON texts of the schemas' members, without `$id`. */
const schemaTexts = perDetectors((detectors) => {
  const components = componentsOf(detectors)
  return new Map(
    Object.keys(components).map((name) => {
      const { [name]: own, ...definitions } = sharedParts(reachable(components, name), (part) => ({
        $ref: `#/components/schemas/${part}`,
      }))
      const schema = { title: name, ...own, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) }
      return [name, JSON.stringify(schema).replaceAll(REFERENCE, '"#/$defs/$1"')]
    }),
  )
})

const sent = (body: string | undefined, kind: string, known: () => Iterable<string>): Answer =>
  body === undefined
    ? refusal(404, `unknown_${kind}`, `known: ${[...known()].map((name) => `${name}.json`).join(', ')}`)
    : { status: 200, body, headers: { 'Cache-Control': `public, max-age=${FRESH_S}` } }

const nameOf = (file: string): string => FILE.exec(file)?.[1] ?? ''

/** `/schemas/{file}` */
export const answerSchema = (service: Service, file: string): Answer => {
  const texts = schemaTexts(service.options.detectors)
  const name = nameOf(file)
  const text = texts.get(name)
  const head = JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: schemaUrl(service, name) })
  return sent(text && `${head.slice(0, -1)},${text.slice(1)}`, 'schema', () => texts.keys())
}

/** `/examples/{file}` */
export const answerExample = (service: Service, file: string): Answer => {
  const shown = shownOf(service)
  const paths = new Map(service.options.questions.map((facts) => [operationIdOf(facts), facts.path]))
  const example = exampleOf(paths.get(nameOf(file)) ?? '', shown)
  return sent(example && JSON.stringify(example), 'example', function* () {
    for (const [id, path] of paths) if (exampleOf(path, shown) !== undefined) yield id
  })
}
