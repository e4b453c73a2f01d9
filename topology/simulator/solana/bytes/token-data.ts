// Encodes the data of token instructions.
import { writeU64 } from './event-bytes.ts'

/** Tags of token instructions. */
const TRANSFER_CHECKED = 12
const BURN = 8

/** Data of a transfer. */
export const transferChecked = (units: number, decimals: number): Buffer => {
  const data = Buffer.alloc(10)
  data.writeUInt8(TRANSFER_CHECKED, 0)
  writeU64(data, units, 1)
  data.writeUInt8(decimals, 9)
  return data
}

/** Data of a burn. */
export const burn = (units: number): Buffer => {
  const data = Buffer.alloc(9)
  data.writeUInt8(BURN, 0)
  writeU64(data, units, 1)
  return data
}
