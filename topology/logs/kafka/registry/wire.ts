// Values on Kafka: a zero byte, the schema id as four bytes, then Avro. Readers of the log get only Avro of their own schema.
import { parseType } from '../../../../schemas/avro.ts'
import { messageOf } from '../../../../schemas/errors.ts'
import type { SchemaRegistry } from './registry.ts'

const MAGIC = 0
const HEAD_BYTES = 5
/** Limit of cached ids per topic, so that foreign bytes with random ids do not fill the memory. */
const IDS_MAX = 1_000

/** Bytes in our schema; or the unchanged bytes, with the reason why they are not a value of the topic. */
export type Unwrapped = { readonly value: Uint8Array } | { readonly value: Uint8Array; readonly fault: string }

/** Converts bytes of another schema to ours. @throws if they do not match that schema. */
type Translate = (bytes: Buffer) => Uint8Array
type Known = { readonly translate: Translate } | { readonly fault: string }

const asIs: Known = { translate: (bytes) => bytes }

/** Values of one subject. */
export class Wire {
  /** Magic byte and schema id before the Avro of our values. */
  readonly head: Buffer
  readonly #subject: string
  readonly #id: number
  readonly #schema: string
  readonly #registry: SchemaRegistry
  readonly #known = new Map<number, Known>()

  private constructor(subject: string, id: number, schema: string, registry: SchemaRegistry) {
    this.#subject = subject
    this.#id = id
    this.head = Buffer.from([MAGIC, id >>> 24, (id >>> 16) & 0xff, (id >>> 8) & 0xff, id & 0xff])
    this.#schema = schema
    this.#registry = registry
  }
  /** Registers our schema. @throws EngineError like `SchemaRegistry.register`. */
  static async open(subject: string, schema: string, registry: SchemaRegistry): Promise<Wire> {
    return new Wire(subject, await registry.register(subject, schema), schema, registry)
  }
  /** The value of a record. Queries the registry once for each foreign id. @throws EngineError `registry_unreachable`. */
  unwrap(whole: Buffer): Unwrapped | Promise<Unwrapped> {
    if (whole.length < HEAD_BYTES || whole[0] !== MAGIC) return { value: whole, fault: 'no schema id before the value' }
    const id = whole.readInt32BE(1)
    const known = id === this.#id ? asIs : this.#known.get(id)
    return known === undefined ? this.#learn(id).then((learnt) => read(whole, learnt)) : read(whole, known)
  }
  async #learn(id: number): Promise<Known> {
    const schema = await this.#registry.schema(this.#subject, id)
    const known =
      schema === undefined ? { fault: `the registry has no schema ${id} of ${this.#subject}` } : translator(id, schema, this.#schema)
    if (this.#known.size >= IDS_MAX) this.#known.clear()
    this.#known.set(id, known)
    return known
  }
}

const read = (whole: Buffer, known: Known): Unwrapped => {
  if ('fault' in known) return { value: whole, fault: known.fault }
  try {
    return { value: known.translate(whole.subarray(HEAD_BYTES)) }
  } catch (cause) {
    return { value: whole, fault: `not of the schema it names: ${messageOf(cause)}` }
  }
}

/** Translator for values written by an older or newer version. */
const translator = (id: number, writerSchema: string, readerSchema: string): Known => {
  try {
    const [reader, writer] = [parseType(JSON.parse(readerSchema)), parseType(JSON.parse(writerSchema))]
    const resolver = reader.createResolver(writer)
    return { translate: (bytes) => reader.toBuffer(reader.fromBuffer(bytes, resolver)) }
  } catch (cause) {
    return { fault: `schema ${id} cannot be read with ours: ${messageOf(cause)}` }
  }
}
