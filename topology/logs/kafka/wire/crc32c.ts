// CRC-32C (Castagnoli), the checksum of record batches; processes eight bytes per step.

const POLYNOMIAL = 0x82f63b78
const STEP_BYTES = 8

/** For a byte followed by 0 to 7 others: eight tables of 256 entries, concatenated. */
const TABLES = ((): Int32Array => {
  const tables = new Int32Array(STEP_BYTES * 256)
  for (let byte = 0; byte < 256; byte++) {
    let rest = byte
    for (let bit = 0; bit < 8; bit++) rest = (rest & 1) === 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
    tables[byte] = rest
  }
  for (let at = 256; at < tables.length; at++) {
    const before = tables[at - 256] as number
    tables[at] = (before >>> 8) ^ (tables[before & 0xff] as number)
  }
  return tables
})()

/** CRC-32C of the bytes from `start` to `end`, as an unsigned number. */
export const crc32c = (bytes: Uint8Array, start: number, end: number): number => {
  const table = (which: number, index: number): number => TABLES[(which << 8) | index] as number
  const byte = (at: number): number => bytes[at] as number
  let crc = -1
  let at = start
  for (const whole = end - STEP_BYTES; at <= whole; at += STEP_BYTES)
    crc =
      table(7, (crc & 0xff) ^ byte(at)) ^
      table(6, ((crc >>> 8) & 0xff) ^ byte(at + 1)) ^
      table(5, ((crc >>> 16) & 0xff) ^ byte(at + 2)) ^
      table(4, (crc >>> 24) ^ byte(at + 3)) ^
      table(3, byte(at + 4)) ^
      table(2, byte(at + 5)) ^
      table(1, byte(at + 6)) ^
      table(0, byte(at + 7))
  for (; at < end; at++) crc = (crc >>> 8) ^ table(0, (crc & 0xff) ^ byte(at))
  return ~crc >>> 0
}
