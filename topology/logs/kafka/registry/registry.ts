// Client of the schema registry: resolves our schema to its id, and foreign ids to their schemas.
import { type Client, type SchemaInfo, SchemaRegistryClient } from '@confluentinc/schemaregistry/dist/schemaregistry-client.js'
import { EngineError, messageOf } from '../../../../schemas/errors.ts'
import type { RegistryAddress } from '../options.ts'
import { readingFault } from './schema-fault.ts'

const REQUEST_MS_MAX = 5_000
const RETRIES = { maxRetries: 2, retriesWaitMs: 100, retriesMaxWaitMs: 500 }

const INCOMPATIBLE = 409
const UNKNOWN = 404
const INVALID = 422

const statusOf = (thrown: unknown): number | undefined => (thrown as { status?: number } | null)?.status

/** Ids and schemas of subjects. Every method rejects with EngineError only; `registry_unreachable` is retriable. */
export class SchemaRegistry {
  readonly #client: Client
  readonly #url: string

  constructor({ url, login }: RegistryAddress) {
    this.#url = new URL(url).origin
    this.#client = SchemaRegistryClient.newClient({
      baseURLs: [url],
      createAxiosDefaults: { timeout: REQUEST_MS_MAX },
      ...RETRIES,
      ...(login === null
        ? {}
        : { basicAuthCredentials: { credentialsSource: 'USER_INFO', userInfo: `${login.username}:${login.password}` } as const }),
    })
  }
  /**
   * The id of `schema` (JSON text) under `subject`; registers it if it is new.
   * @throws EngineError `schema_incompatible`, naming the field, if values of the newest registered schema cannot be read with it.
   */
  async register(subject: string, schema: string): Promise<number> {
    const info = { schemaType: 'AVRO', schema }
    try {
      const known = await this.#orUndefined(() => this.#client.getId(subject, info, false))
      if (known !== undefined) return known
      const newest = await this.#orUndefined(() => this.#client.getLatestSchemaMetadata(subject))
      const fault = newest === undefined ? undefined : readingFault(JSON.parse(schema), JSON.parse(newest.schema))
      if (fault !== undefined) throw incompatible(subject, fault)
      return await this.#client.register(subject, info, false)
    } catch (thrown) {
      if (statusOf(thrown) !== INCOMPATIBLE) throw this.#failure(subject, thrown)
      return this.#conflict(subject, info, thrown)
    }
  }
  /** The JSON text of schema `id`; undefined if the registry does not know the id. */
  async schema(subject: string, id: number): Promise<string | undefined> {
    try {
      return (await this.#orUndefined(() => this.#client.getBySubjectAndId(subject, id)))?.schema
    } catch (thrown) {
      throw this.#failure(subject, thrown)
    }
  }
  close(): void {
    this.#client.close()
  }
  /** Another process may have registered it between the request and the answer. */
  async #conflict(subject: string, info: SchemaInfo, thrown: unknown): Promise<number> {
    const known = await this.#orUndefined(() => this.#client.getId(subject, info, false)).catch(() => undefined)
    if (known === undefined) throw incompatible(subject, `the registry reports: ${messageOf(thrown)}`)
    return known
  }
  async #orUndefined<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await ask()
    } catch (thrown) {
      if (statusOf(thrown) === UNKNOWN) return undefined
      throw thrown
    }
  }
  #failure(subject: string, thrown: unknown): EngineError {
    if (thrown instanceof EngineError) return thrown
    const status = statusOf(thrown)
    const facts = { url: this.#url, subject }
    if (status === undefined || status >= 500)
      return new EngineError('registry_unreachable', `the schema registry at ${this.#url} gave no answer: ${messageOf(thrown)}`, {
        retriable: true,
        facts,
        cause: thrown,
      })
    const advice = status === INVALID ? 'it considers the schema invalid' : 'check SCHEMA_REGISTRY_URL, _USERNAME and _PASSWORD'
    return new EngineError('registry_refused', `the schema registry at ${this.#url} refused ${subject} (${status}): ${advice}`, {
      facts: { ...facts, status },
      cause: thrown,
    })
  }
}

const incompatible = (subject: string, fault: string): EngineError =>
  new EngineError(
    'schema_incompatible',
    `the schema of ${subject} is incompatible with the registered one: ${fault}. Give the field a default, or use another MINTFOLD_TOPIC_PREFIX`,
    { facts: { subject, fault } },
  )
