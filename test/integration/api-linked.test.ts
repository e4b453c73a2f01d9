// Documents that `/openapi.json` links: the schema of each answer, and an example.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { SetHistory } from '../fakes/set-history.ts'
import { answerNames, components } from '../shipped.ts'
import { harness } from './api-harness.ts'

type Json = Readonly<Record<string, unknown>>
interface Content {
  readonly schema: { readonly $ref?: string }
  readonly examples?: { readonly answer: { readonly externalValue: string } }
}
interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get: { readonly responses: Readonly<Record<string, { readonly content?: Json }>> } }>>
  readonly components: { readonly schemas: Readonly<Record<string, { readonly externalDocs?: { readonly url: string } }>> }
}
interface Linked {
  readonly path: string
  readonly name: string
  readonly schemaUrl: string
  readonly exampleUrl: string | undefined
}

const LENIENT = { strict: false, validateFormats: false }
const api = harness({ history: new SetHistory() })

describe('documents that /openapi.json links', () => {
  let document: OpenApi
  let answers: readonly Linked[]
  beforeAll(async () => {
    document = (await api.get('/openapi.json')).body as OpenApi
    answers = Object.entries(document.paths).flatMap(([path, { get }]) => {
      const { schema, examples } = (get.responses['200']?.content?.['application/json'] ?? { schema: {} }) as Content
      const name = schema.$ref?.replace(/^.*\//, '')
      const url = document.components.schemas[name ?? '']?.externalDocs?.url
      return name === undefined || url === undefined ? [] : [{ path, name, schemaUrl: url, exampleUrl: examples?.answer.externalValue }]
    })
  })
  const documentAt = async (url: string) => (await api.get(new URL(url).pathname)).body as Json

  test('each answer links its schema, which has every field, bound and description, and is complete in itself', async () => {
    expect(answers.map(({ path }) => path).sort()).toEqual(Object.keys(answerNames).sort())
    for (const { path, name, schemaUrl } of answers) {
      const { $schema, $id, title, $defs = {}, ...linked } = await documentAt(schemaUrl)
      expect([$schema, $id, title, name]).toEqual(['https://json-schema.org/draft/2020-12/schema', schemaUrl, name, answerNames[path]])
      expect(expanded(linked, $defs as Json)).toEqual(expanded(components[name], components))
    }
  })
  test('each example is an answer by the linked schema and by its outline, which has all fields of its data', async () => {
    const shown = answers.filter(({ exampleUrl }) => exampleUrl !== undefined)
    expect(shown.length).toBeGreaterThan(20)
    const outlines = new Ajv2020(LENIENT).addSchema({ $id: 'api', components: { schemas: closed(document.components.schemas) } })
    for (const { name, schemaUrl, exampleUrl = '' } of shown) {
      const example = await documentAt(exampleUrl)
      for (const validate of [
        new Ajv2020(LENIENT).compile(await documentAt(schemaUrl)),
        outlines.compile({ $ref: `api#/components/schemas/${name}` }),
      ])
        expect([name, validate(example), validate.errors]).toEqual([name, true, null])
    }
  })
  test('a name that is not known is refused with the known ones', async () => {
    expect((await api.get('/schemas/Nothing.json')).body).toMatchObject({
      error: 'unknown_schema',
      hint: expect.stringContaining('MintAnswer.json'),
    })
    expect((await api.get('/examples/nothing.json')).body).toMatchObject({
      error: 'unknown_example',
      hint: expect.stringContaining('index.json'),
    })
  })
})

/** The outlines, with no fields of the data but those named, and reasons. Labels may have more groups. */
const closed = (schemas: Json): Json =>
  JSON.parse(JSON.stringify({ ...schemas, LabelsAnswer: {} }), (name, part: Json) =>
    name === 'data' && part.properties !== undefined
      ? { ...part, patternProperties: { _reason$: { type: 'string' } }, additionalProperties: false }
      : part,
  ) as Json

/** The schema with each reference replaced by what it refers to. */
const expanded = (schema: unknown, definitions: Json): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => expanded(part, definitions))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, ...own } = schema as Json
  const parts = Object.entries(own).map(([name, part]) => [name, expanded(part, definitions)])
  const target = typeof $ref === 'string' ? (expanded(definitions[$ref.replace(/^.*\//, '')], definitions) as Json) : {}
  return { ...target, ...Object.fromEntries(parts) }
}
