// Joins Parquet files with the same columns: copies their row groups unchanged, and writes a new footer that lists all of them.
// So a day can be queried in pieces that fit into the memory of ClickHouse, and is still one file.
import { assert } from '../../../../schemas/errors.ts'
import { readStruct, type ThriftList, type ThriftStruct, TYPE, writeStruct } from './thrift.ts'

const MAGIC = Buffer.from('PAR1')
/** The end of a file: the footer's length, and the magic bytes. */
const TAIL_BYTES = 8

/** Field numbers of the structures of https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift. */
const FILE = { schema: 2, rows: 3, rowGroups: 4 } as const
const GROUP = { columns: 1, rows: 3, offset: 5, ordinal: 7 } as const
const CHUNK = { offset: 2, meta: 3 } as const
const META = { dataPage: 9, indexPage: 10, dictionaryPage: 11 } as const
/** Offsets of indexes and filters, which are optional for readers; they are valid only in the file that they come from. */
const CHUNK_INDEXES = [4, 5, 6, 7]
const META_FILTERS = [14, 15]

const structIn = (fields: ThriftStruct, number: number): ThriftStruct => fields.get(number)?.value as ThriftStruct
const listIn = (fields: ThriftStruct, number: number): ThriftList => fields.get(number)?.value as ThriftList

/** Shifts an offset if it is set; 0 means none. */
const move = (fields: ThriftStruct, number: number, by: number): void => {
  const field = fields.get(number)
  if (field !== undefined && field.value !== 0n) field.value = (field.value as bigint) + BigInt(by)
}

const moveGroup = (group: ThriftStruct, ordinal: number, by: number): void => {
  move(group, GROUP.offset, by)
  const place = group.get(GROUP.ordinal)
  if (place !== undefined) place.value = BigInt(ordinal)
  for (const item of listIn(group, GROUP.columns).items) {
    const chunk = item as ThriftStruct
    for (const number of CHUNK_INDEXES) chunk.delete(number)
    move(chunk, CHUNK.offset, by)
    const meta = structIn(chunk, CHUNK.meta)
    for (const number of META_FILTERS) meta.delete(number)
    for (const number of Object.values(META)) move(meta, number, by)
  }
}

export class ParquetJoin {
  #first: ThriftStruct | undefined
  readonly #groups: ThriftStruct[] = []
  #bytes = 0
  #rows = 0

  /** Rows of the pieces taken so far. */
  get rows(): number {
    return this.#rows
  }
  /**
   * Takes a complete file and returns the bytes that it adds to the joined file, to be written next. `piece` must not change afterwards.
   * @throws RangeError for bytes that are not Parquet; (a bug) if the columns differ from those of the first piece
   */
  take(piece: Buffer): Buffer {
    const { footer, end } = footerOf(piece)
    const isFirst = this.#first === undefined
    this.#first ??= footer
    assert(schemaOf(this.#first).equals(schemaOf(footer)), 'pieces of one table must have the same columns')
    for (const item of listIn(footer, FILE.rowGroups).items) {
      const group = item as ThriftStruct
      moveGroup(group, this.#groups.length, isFirst ? 0 : this.#bytes - MAGIC.length)
      this.#groups.push(group)
    }
    this.#rows += Number(footer.get(FILE.rows)?.value)
    const data = piece.subarray(isFirst ? 0 : MAGIC.length, end)
    this.#bytes += data.length
    return data
  }
  /** The footer of the joined file. Needs at least one piece. */
  end(): Buffer {
    assert(this.#first !== undefined, 'a Parquet file needs at least one piece')
    const footer = new Map(this.#first)
    footer.set(FILE.rows, { type: TYPE.i64, value: BigInt(this.#rows) })
    footer.set(FILE.rowGroups, { type: TYPE.list, value: { of: TYPE.struct, items: this.#groups } })
    const bytes = writeStruct(footer)
    const size = Buffer.alloc(TAIL_BYTES - MAGIC.length)
    size.writeUInt32LE(bytes.length)
    return Buffer.concat([bytes, size, MAGIC])
  }
}

/** The footer of a file, and the offset where its data ends. */
const footerOf = (piece: Buffer): { readonly footer: ThriftStruct; readonly end: number } => {
  const bytes = piece.length < MAGIC.length + TAIL_BYTES ? piece.length : piece.readUInt32LE(piece.length - TAIL_BYTES)
  const end = piece.length - TAIL_BYTES - bytes
  const isParquet = end >= MAGIC.length && piece.subarray(-MAGIC.length).equals(MAGIC) && piece.subarray(0, MAGIC.length).equals(MAGIC)
  if (!isParquet) throw new RangeError('the piece is not a Parquet file')
  return { footer: readStruct(piece.subarray(end, piece.length - TAIL_BYTES)), end }
}

const schemaOf = (footer: ThriftStruct): Buffer => {
  const schema = footer.get(FILE.schema)
  assert(schema !== undefined, 'a footer has a schema')
  return writeStruct(new Map([[FILE.schema, schema]]))
}
