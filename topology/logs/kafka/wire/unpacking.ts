// Decompresses the records of a batch. Our producers compress nothing, but brokers and mirrors of topics may, with any codec of Kafka.
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { openZstd } from '../../../../schemas/zstd.ts'

type Unpack = (packed: Buffer) => Promise<Uint8Array>

const MIB = 1024 * 1024
/** For data whose size is not stated, as the Java client writes them: the first try, the factor of each further one, and the last. */
const ZSTD_HEAP_BYTES = MIB
const ZSTD_GROWTH = 8
const ZSTD_HEAP_BYTES_MAX = 64 * MIB

const unpackGzip: Unpack = promisify(gunzip)
const unpackSnappy: Unpack = async (packed) => (await import('kafkajs-snappy')).default().decompress(packed)
const unpackLz4: Unpack = async (packed) => (await import('lz4-napi')).decompressFrame(packed)
const unpackZstd: Unpack = async (packed) => {
  const { decompress } = await openZstd()
  for (let defaultHeapSize = ZSTD_HEAP_BYTES; ; defaultHeapSize *= ZSTD_GROWTH)
    try {
      return decompress(packed, { defaultHeapSize })
    } catch (failure) {
      if (defaultHeapSize >= ZSTD_HEAP_BYTES_MAX) throw failure
    }
}

/** By the number that a batch states. */
const CODECS = new Map<number, Unpack>([
  [1, unpackGzip],
  [2, unpackSnappy],
  [3, unpackLz4],
  [4, unpackZstd],
])

/** Undefined for a codec that is not known. */
export const unpacked = async (codec: number, packed: Buffer): Promise<Buffer | undefined> => {
  const bytes = await CODECS.get(codec)?.(packed)
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
