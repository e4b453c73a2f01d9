// Reads a CSV file of predictions row by row and rejects anything ambiguous.
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CsvError, type Info, parse } from 'csv-parse'
import { isOfFiles, unreadable } from '../../../sources/recording/unreadable.ts'
import { UsageError } from '../../command.ts'
import { Gathered, type Predictions } from './predictions.ts'
import { SeenRows } from './seen-rows.ts'
import { COLUMNS, type Column, type Read, readLabel, readMint, readProbability, readTime, shown } from './values.ts'

export const ROWS_MAX = 1_000_000
/** Length limit of a row, including line breaks in quotes. */
export const LINE_CHARS_MAX = 65_536
const LINE_FEED = 0x0a
const STRICT = {
  bom: true,
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
  max_record_size: LINE_CHARS_MAX,
}

export interface Reading {
  readonly path: string
  readonly rowsMax?: number
  /** Receives the number of bytes read so far. */
  readonly seen: (bytes: number) => void
  /** Called for each row. */
  readonly row: () => void
  readonly printNotice: (line: string) => void
  readonly stop: AbortSignal
}

/** A row as returned by the parser. */
interface Parsed {
  readonly record: string[]
  readonly info: Info
}

/** One row of the file. */
interface Row {
  readonly values: readonly string[]
  /** Number of the line on which it ends. */
  readonly line: number
}

/**
 * All rows of the file; undefined if it was stopped. Uses about 100 bytes of memory per row.
 * @throws UsageError that names line and column of the fault, EngineError `file_unreadable`
 */
export const readPredictions = async (reading: Reading): Promise<Predictions | undefined> => {
  const file = new PredictionFile(reading)
  const parser = parse({ ...STRICT, on_record: (row) => file.parsed(row) })
  try {
    await pipeline(createReadStream(reading.path), file.chunks(), parser, file.rows())
  } catch (failure) {
    if (reading.stop.aborted) return undefined
    if (failure instanceof UsageError) throw failure
    if (isOfFiles(failure)) throw unreadable(reading.path, failure)
    if (failure instanceof CsvError) throw file.brokenBy(failure)
    throw failure
  }
  return reading.stop.aborted ? undefined : file.predictions()
}

class PredictionFile {
  readonly #reading: Reading
  readonly #gathered = new Gathered()
  readonly #seen = new SeenRows()
  /** Column names in file order, set as soon as parsed: a parser error may arrive before the first row. */
  #header: readonly string[] = []
  /** Empty until the header has been checked. */
  #place: ReadonlyMap<Column, number> = new Map()
  #endsWithLine = true

  constructor(reading: Reading) {
    this.#reading = reading
  }
  /** With `info` the parser returns rows as `Parsed`, which its types do not declare. */
  parsed<Row>(row: Row): Row {
    if (this.#header.length === 0) this.#header = (row as Parsed).record
    return row
  }
  chunks(): (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer> {
    const isOver = (): boolean => this.#reading.stop.aborted
    const seen = (bytes: number, last: number | undefined): void => {
      this.#endsWithLine = last === LINE_FEED
      this.#reading.seen(bytes)
    }
    return async function* (source) {
      let bytes = 0
      for await (const chunk of source) {
        if (isOver()) return
        bytes += chunk.length
        seen(bytes, chunk.at(-1))
        yield chunk
      }
    }
  }
  /** Handles each row once the next one has arrived, so that the last row is known to be the last. */
  rows(): (records: AsyncIterable<Parsed>) => Promise<void> {
    return async (records) => {
      let held: Row | undefined
      for await (const { record, info } of records) {
        if (held !== undefined) this.#take(held, false)
        held = { values: record, line: info.lines }
      }
      if (held !== undefined && !this.#reading.stop.aborted) this.#take(held, true)
    }
  }
  predictions(): Predictions {
    const { path, printNotice } = this.#reading
    if (this.#header.length === 0) throw new UsageError(`${path} is empty: it must begin with a line ${COLUMNS.join()}`)
    if (this.#gathered.rows === 0)
      throw new UsageError(`${path} has a header but no rows: there is nothing to grade; check how it was written`)
    if (!this.#endsWithLine) printNotice(`${path} does not end with a line break: if it is truncated there, its last value is wrong`)
    return this.#gathered.predictions()
  }
  /** The usage error for a parser error. */
  brokenBy(failure: CsvError): UsageError {
    const line = Number(failure.lines ?? 0) || 1
    const column = this.#header[Number(failure.column)]
    const place = `${this.#at(line)}${column === undefined ? '' : `, column ${shown(column)}`}`
    if (failure.code === 'CSV_MAX_RECORD_SIZE')
      return new UsageError(
        `${this.#at(line)} has more than ${LINE_CHARS_MAX} characters: check its line breaks, and look for a quote that is not closed`,
      )
    if (failure.code === 'CSV_QUOTE_NOT_CLOSED')
      return new UsageError(`${place}: the file ends within quotes: it is truncated, or a quote is missing; write it again`)
    return new UsageError(`${place}: a quote is not allowed here: put the whole value in quotes and double the quotes within it`)
  }
  #take(row: Row, isLast: boolean): void {
    if (this.#place.size === 0) this.#takeHeader(row)
    else this.#takeRow(row, isLast)
  }
  #takeHeader({ values, line }: Row): void {
    for (const column of COLUMNS) {
      const found = values.filter((name) => name === column).length
      const has = `the header has ${values.map(shown).slice(0, 20).join(', ')}`
      if (found === 0) throw new UsageError(`${this.#at(line)}: there is no column '${column}', which is required; ${has}`)
      if (found > 1) throw new UsageError(`${this.#at(line)}: column '${column}' occurs ${found} times: keep one; ${has}`)
    }
    this.#place = new Map(COLUMNS.map((column) => [column, values.indexOf(column)]))
  }
  #takeRow(row: Row, isLast: boolean): void {
    const { path, rowsMax = ROWS_MAX } = this.#reading
    if (this.#gathered.rows === rowsMax)
      throw new UsageError(`${path} has more than ${rowsMax.toLocaleString('en')} rows: split it into several files and grade each`)
    this.#checkLength(row, isLast)
    const mint = this.#read(row, 'mint', readMint)
    const label = this.#read(row, 'label', readLabel)
    const probability = this.#read(row, 'probability', readProbability)
    const timeMs = this.#read(row, 'time', readTime)
    const before = this.#seen.add(`${timeMs} ${mint}`, row.line)
    if (before !== undefined)
      throw new UsageError(
        `${this.#at(row.line)}, columns 'mint' and 'time': the same mint and time as on line ${before}; keep one prediction of each`,
      )
    this.#gathered.add(probability, label, timeMs)
    this.#reading.row()
  }
  #checkLength({ values, line }: Row, isLast: boolean): void {
    const [has, wants] = [values.length, this.#header.length]
    if (has === wants) return
    const counts = `the line has ${has} values, the header ${wants}`
    if (has > wants) throw new UsageError(`${this.#at(line)}: ${counts}: put a value that has a comma in quotes`)
    const what = isLast && !this.#endsWithLine ? 'the file is truncated in this line; write it again' : 'write a value for each column'
    throw new UsageError(`${this.#at(line)}, column ${shown(this.#header[has] as string)}: there is no value (${counts}): ${what}`)
  }
  #read<Value>({ values, line }: Row, column: Column, read: (text: string) => Read<Value>): Value {
    const answer = read(values[this.#place.get(column) as number] as string)
    if ('value' in answer) return answer.value
    throw new UsageError(`${this.#at(line)}, column '${column}': it ${answer.wrong}`)
  }
  #at(line: number): string {
    return `${this.#reading.path}, line ${line}`
  }
}
