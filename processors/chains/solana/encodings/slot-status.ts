// Parses the status of a slot from a node's gRPC stream (geyser.SubscribeUpdate, protobuf).
import protobuf from 'protobufjs'
import { bad, good, type Parsed } from '../../../../schemas/errors.ts'

/** The part of the published definition that we use. */
const PROTO = `
syntax = "proto3";
message SubscribeUpdate { optional SlotUpdate slot = 3; }
message SlotUpdate { uint64 slot = 1; optional uint64 parent = 2; uint32 status = 3; }
`
const updateType = protobuf.parse(PROTO).root.lookupType('SubscribeUpdate')

/** Statuses by their number in the stream. A slot is first processed or dead, then confirmed, and finalized about 32 slots later. */
const STATUSES = ['processed', 'confirmed', 'finalized', 'first_shred', 'completed', 'created_bank', 'dead'] as const

export interface SlotStatus {
  readonly slot: number
  /** Null where the update does not state it. */
  readonly parent: number | null
  /** `dead`: the slot's fork was dropped; its content is void. */
  readonly status: (typeof STATUSES)[number]
}

interface Update {
  slot?: { slot: { toString(): string }; parent?: { toString(): string } | null; status: number } | null
}

const decode = (bytes: Uint8Array): Update | undefined => {
  try {
    return updateType.decode(bytes) as unknown as Update
  } catch {
    return undefined
  }
}

/**
 * Parses one message of the stream; undefined for messages that are not about a slot. Bad data (bad_encoding) for other bytes and unknown
 * statuses.
 */
export const parseSlotStatus = (bytes: Uint8Array): Parsed<SlotStatus | undefined> => {
  const update = decode(bytes)
  if (update === undefined) return bad('bad_encoding', `${bytes.length} bytes are not a message of the stream`)
  if (!update.slot) return good(undefined)
  const status = STATUSES[update.slot.status]
  if (status === undefined) return bad('bad_encoding', `slot status ${update.slot.status} is unknown`)
  const { slot, parent } = update.slot
  return good({ slot: Number(slot.toString()), parent: Number(parent?.toString() ?? 0) || null, status })
}
