// Encodes and decodes the values of every topic: one codec per schema. Decoding validates: bytes from outside are never trusted.

import avro from 'avsc'
import { loadType, parseType, readSchema, withKeysOf } from './avro.ts'
import { asBuffer } from './bytes.ts'
import { bad, good, type Parsed } from './errors.ts'
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
  readonly type: avro.Type
  /** @throws (a bug) when the value does not fit its schema. */
  encode(value: Value): Buffer
  /** Invalid bytes, including trailing bytes, give bad data, never a throw. */
  decode(bytes: Uint8Array): Parsed<Value>
}

export const codecOf = <Value>(name: string, type: avro.Type): Codec<Value> => ({
  type,
  encode: (value) => type.toBuffer(value),
  decode: (bytes) => {
    try {
      return good(type.fromBuffer(asBuffer(bytes)) as Value)
    } catch (cause) {
      return bad('bad_encoding', `these ${bytes.length} bytes are not a ${name}: ${(cause as Error).message}`)
    }
  },
})

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

const rawTypes: Record<string, avro.Type> = {}
export const rawRecordCodec = codecOf<RawRecord>('RawRecord', loadType('raw', rawTypes))
const tapeTypes: Record<string, avro.Type> = {}
export const tapeRecordCodec = codecOf<TapeRecord>('TapeRecord', loadType('tape', tapeTypes))
export const tapeBatchCodec = codecOf<TapeBatch>('TapeBatch', tapeTypes['mintfold.TapeBatch'] as avro.Type)
const altTapeTypes: Record<string, avro.Type> = {}
export const altTapeRecordCodec = codecOf<AltTapeRecord>('AltTapeRecord', loadType('alt-tape', altTapeTypes))
export const altTapeBatchCodec = codecOf<AltTapeBatch>('AltTapeBatch', altTapeTypes['mintfold.AltTapeBatch'] as avro.Type)
const conclusionTypes: Record<string, avro.Type> = {}
export const conclusionCodec = codecOf<Conclusion>('Conclusion', loadType('conclusions', conclusionTypes))
/** The types of a judgement alone. In a conclusion the same bytes follow the index of the body's union branch. */
const judgementTypes = (['Judgement', 'JudgementWide'] as const).map((name) => conclusionTypes[`mintfold.${name}`] as avro.Type)
/** The body of a judgement in Avro: `JudgementWide` if one of its amounts exceeds a long, else `Judgement`. */
export const judgementBytesOf = (judgement: Judgement): Buffer => {
  const isWide = Object.values(judgement).some((value) => typeof value === 'bigint')
  return (judgementTypes[isWide ? 1 : 0] as avro.Type).toBuffer(judgement)
}
export const altConclusionCodec = codecOf<Conclusion>('Conclusion', loadType('alt-conclusions'))
export const deadLetterCodec = codecOf<DeadLetter>('DeadLetter', loadType('dead-letter'))
export const modelCodec = codecOf<ModelRecord>('ModelRecord', loadType('model'))
export const progressCodec = codecOf<Progress>('Progress', loadType('progress'))
/** Defaults of `closings` (no items) and `cut` (false), which were added later. */
const EXCHANGE_DEFAULTS = Buffer.from([0, 0])
export const exchangeCodec = withAddedFields(codecOf<ExchangeBatch>('ExchangeBatch', loadType('exchange')), EXCHANGE_DEFAULTS)

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
  return { one: codecOf<Fact>('Fact', fact), many: codecOf<readonly Fact[]>('list of facts', many) }
}

export const ownerCodec = codecOf<OwnerStanding>('OwnerStanding', loadType('owner'))
export const capturedMintCodec = codecOf<CapturedMint>('CapturedMint', loadType('capture-state'))
export const sourceCodec = codecOf<SourceClock>('SourceClock', loadType('source'))
export const baseCodec = codecOf<BaseRecord>('BaseRecord', loadType('base'))
export const rebuildCodec = codecOf<RebuildStanding>('RebuildStanding', loadType('rebuild'))
/** Default of `rolledBack` (no items), which was added later. */
const STORES_DEFAULTS = Buffer.from([0])
export const storesCodec = withAddedFields(codecOf<StoresStanding>('StoresStanding', loadType('stores')), STORES_DEFAULTS)
export const correctionCodec = codecOf<TapeCorrection>('TapeCorrection', loadType('tape-correction'))
