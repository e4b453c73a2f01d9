// Encodes and decodes the values of every topic: one codec per schema. Decoding validates: bytes from outside are never trusted.

import avro from 'avsc'
import { loadType, parseType, readSchema, typesOf, withKeysOf } from './avro.ts'
import { asBuffer } from './bytes.ts'
import { bad, good, type Parsed } from './errors.ts'
import { once } from './once.ts'
import type {
  AltTapeBatch,
  AltTapeRecord,
  BaseRecord,
  CapturedMint,
  Conclusion,
  DeadLetter,
  ExchangeBatch,
  Fact,
  Judgement,
  ModelRecord,
  OwnerStanding,
  Progress,
  RawRecord,
  RebuildStanding,
  SourceClock,
  StoresStanding,
  TapeBatch,
  TapeCorrection,
  TapeRecord,
} from './types.ts'

/** Encodes and decodes values of one schema. */
export interface Codec<Value> {
  type(): avro.Type
  /** @throws (a bug) when the value does not fit its schema. */
  encode(value: Value): Buffer
  /** Invalid bytes, including trailing bytes, give bad data, never a throw. */
  decode(bytes: Uint8Array): Parsed<Value>
}

/** `load` makes the type at the first use. */
export const codecOf = <Value>(name: string, load: () => avro.Type): Codec<Value> => {
  const type = once(load)
  return {
    type,
    encode: (value) => type().toBuffer(value),
    decode: (bytes) => {
      try {
        return good(type().fromBuffer(asBuffer(bytes)) as Value)
      } catch (cause) {
        return bad('bad_encoding', `these ${bytes.length} bytes are not a ${name}: ${(cause as Error).message}`)
      }
    },
  }
}

/**
 * Also decodes bytes written before fields were added at the end of the schema: the embedded log stores values without their writer's
 * schema. `defaults` are the encoded defaults of those fields.
 */
const withAddedFields = <Value>(codec: Codec<Value>, defaults: Uint8Array): Codec<Value> => ({
  ...codec,
  decode: (bytes) => {
    const read = codec.decode(bytes)
    if (read.ok) return read
    const older = codec.decode(Buffer.concat([bytes, defaults]))
    return older.ok ? older : read
  },
})

export const rawRecordCodec = codecOf<RawRecord>('RawRecord', () => loadType('raw'))
const tape = typesOf('tape')
export const tapeRecordCodec = codecOf<TapeRecord>('TapeRecord', () => tape().whole)
export const tapeBatchCodec = codecOf<TapeBatch>('TapeBatch', () => tape().named('TapeBatch'))
const altTape = typesOf('alt-tape')
export const altTapeRecordCodec = codecOf<AltTapeRecord>('AltTapeRecord', () => altTape().whole)
export const altTapeBatchCodec = codecOf<AltTapeBatch>('AltTapeBatch', () => altTape().named('AltTapeBatch'))
const conclusions = typesOf('conclusions')
export const conclusionCodec = codecOf<Conclusion>('Conclusion', () => conclusions().whole)
/** The types of a judgement alone. In a conclusion the same bytes follow the index of the body's union branch. */
const judgementTypes = once(() => (['Judgement', 'JudgementWide'] as const).map(conclusions().named))
/** The body of a judgement in Avro: `JudgementWide` if one of its amounts exceeds a long, else `Judgement`. */
export const judgementBytesOf = (judgement: Judgement): Buffer => {
  const isWide = Object.values(judgement).some((value) => typeof value === 'bigint')
  return (judgementTypes()[isWide ? 1 : 0] as avro.Type).toBuffer(judgement)
}
export const altConclusionCodec = codecOf<Conclusion>('Conclusion', () => loadType('alt-conclusions'))
export const deadLetterCodec = codecOf<DeadLetter>('DeadLetter', () => loadType('dead-letter'))
export const modelCodec = codecOf<ModelRecord>('ModelRecord', () => loadType('model'))
export const progressCodec = codecOf<Progress>('Progress', () => loadType('progress'))
/** Defaults of `closings` (no items) and `cut` (false), which were added later. */
const EXCHANGE_DEFAULTS = Buffer.from([0, 0])
export const exchangeCodec = withAddedFields(
  codecOf<ExchangeBatch>('ExchangeBatch', () => loadType('exchange')),
  EXCHANGE_DEFAULTS,
)

/** Codecs of the messages that records of the exchange and of tasks contain as bytes. */
export interface FactCodecs {
  readonly one: Codec<Fact>
  readonly many: Codec<readonly Fact[]>
}
const factCodecs = new Map<number, FactCodecs>()

/** Memoized by the length of keys. */
export const factCodecsOf = (keyBytes: number): FactCodecs => {
  const made = factCodecs.get(keyBytes) ?? makeFactCodecs(keyBytes)
  factCodecs.set(keyBytes, made)
  return made
}

const makeFactCodecs = (keyBytes: number): FactCodecs => {
  const types: Record<string, avro.Type> = {}
  parseType(withKeysOf(readSchema('exchange'), keyBytes), types)
  const fact = types['mintfold.Fact'] as avro.Type
  const many = avro.Type.forSchema({ type: 'array', items: fact } as unknown as avro.Schema)
  return { one: codecOf<Fact>('Fact', () => fact), many: codecOf<readonly Fact[]>('list of facts', () => many) }
}

export const ownerCodec = codecOf<OwnerStanding>('OwnerStanding', () => loadType('owner'))
export const capturedMintCodec = codecOf<CapturedMint>('CapturedMint', () => loadType('capture-state'))
export const sourceCodec = codecOf<SourceClock>('SourceClock', () => loadType('source'))
export const baseCodec = codecOf<BaseRecord>('BaseRecord', () => loadType('base'))
export const rebuildCodec = codecOf<RebuildStanding>('RebuildStanding', () => loadType('rebuild'))
/** Default of `rolledBack` (no items), which was added later. */
const STORES_DEFAULTS = Buffer.from([0])
export const storesCodec = withAddedFields(
  codecOf<StoresStanding>('StoresStanding', () => loadType('stores')),
  STORES_DEFAULTS,
)
export const correctionCodec = codecOf<TapeCorrection>('TapeCorrection', () => loadType('tape-correction'))
