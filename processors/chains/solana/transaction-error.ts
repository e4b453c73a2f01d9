// Parses how a transaction failed, from the forms in RPC answers and stored blocks.
import { isJsonRecord } from '../json-record.ts'
import type { Failure } from './source-transaction.ts'

/** TransactionError::InstructionError and InstructionError::Custom as bincode numbers them (solana-storage-proto). */
const INSTRUCTION_ERROR = 8
const CUSTOM = 25
const NO_DETAILS: Failure = { instruction: null, code: null }

/** From bincode of a TransactionError, as stored blocks have it: u32 variant, then u8 instruction, u32 variant, u32 custom code. */
export const failureFromBincode = (bytes: Buffer): Failure => {
  if (bytes.length < 5 || bytes.readUInt32LE(0) !== INSTRUCTION_ERROR) return NO_DETAILS
  const isCustom = bytes.length >= 13 && bytes.readUInt32LE(5) === CUSTOM
  return { instruction: bytes.readUInt8(4), code: isCustom ? bytes.readUInt32LE(9) : null }
}

const asIndex = (value: unknown): number | null => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null)

/** From `meta.err` of an RPC answer, or of a converted stored block (`bincodeBase64`); anything but null is a failure. */
export const failureFromJson = (err: unknown): Failure | null => {
  if (err === null || err === undefined) return null
  if (!isJsonRecord(err)) return NO_DETAILS
  if (typeof err.bincodeBase64 === 'string') return failureFromBincode(Buffer.from(err.bincodeBase64, 'base64'))
  const details = err.InstructionError
  if (!Array.isArray(details)) return NO_DETAILS
  return { instruction: asIndex(details[0]), code: isJsonRecord(details[1]) ? asIndex(details[1].Custom) : null }
}

/** Dumps without nulls have no `err` where the transaction succeeded. If it is absent, `status` tells, its older form. */
export const failureOf = ({ err, status }: { readonly err?: unknown; readonly status?: unknown }): Failure | null =>
  failureFromJson(err ?? (isJsonRecord(status) ? status.Err : null))
