// Partition of a key: murmur2 as in Kafka's default partitioner, over the key's printed text.

const M = 0x5bd1e995
const CACHE_KEYS_MAX = 200_000

/** Kafka's murmur2 (seed 0x9747b28c) of bytes, as a signed 32-bit number. */
export const murmur2 = (data: Uint8Array): number => {
  let h = 0x9747b28c ^ data.length
  const whole = data.length & ~3
  for (let i = 0; i < whole; i += 4) {
    const word = (data[i] as number) | ((data[i + 1] as number) << 8) | ((data[i + 2] as number) << 16) | ((data[i + 3] as number) << 24)
    let k = Math.imul(word, M)
    k = Math.imul(k ^ (k >>> 24), M)
    h = Math.imul(h, M) ^ k
  }
  const rest = data.length - whole
  if (rest === 3) h ^= (data[whole + 2] as number) << 16
  if (rest >= 2) h ^= (data[whole + 1] as number) << 8
  if (rest >= 1) h = Math.imul(h ^ (data[whole] as number), M)
  h = Math.imul(h ^ (h >>> 13), M)
  return h ^ (h >>> 15)
}

/** A partitioner over `partitions` that caches keys (at most 200,000), because `print` (base58) costs more than the hash. */
export const createPartitioner = (partitions: number, print: (key: string) => string): ((key: string) => number) => {
  if (partitions === 1) return () => 0
  const known = new Map<string, number>()
  return (key) => {
    let partition = known.get(key)
    if (partition === undefined) {
      if (known.size >= CACHE_KEYS_MAX) known.clear()
      partition = (murmur2(Buffer.from(print(key))) & 0x7fffffff) % partitions
      known.set(key, partition)
    }
    return partition
  }
}
