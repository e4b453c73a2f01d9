// Reads the Bloom filter of a block's logs (logsBloom): it contains every topic of the logs, and false positives. Pure.
import { keccak256 } from 'viem'

const BYTES = 256
/** Above this number of set bits most topics are false positives, so the filter is useless. */
const FULL_BITS = 1_024

/** The three bits of a topic: byte index and bit mask (yellow paper, 4.3.1). */
type Bits = readonly (readonly [place: number, bit: number])[]

const bitsOf = (topic: string): Bits => {
  const hash = Buffer.from(keccak256(topic as `0x${string}`).slice(2), 'hex')
  return [0, 2, 4].map((at) => {
    const bit = hash.readUInt16BE(at) % (8 * BYTES)
    return [BYTES - 1 - (bit >> 3), 1 << (bit & 7)] as const
  })
}

export interface BloomReading {
  /** The requested topics that the block's logs may have. Null: the filter is empty or of another size, and useless. */
  readonly mayHave: ReadonlySet<string> | null
  /** True if too many bits are set for a match to mean anything. */
  readonly isFull: boolean
}

/** Returns a reader of filters for these topics. */
export const bloomReader = (topics: readonly string[]): ((bloom: string) => BloomReading) => {
  const all = topics.map((topic) => [topic, bitsOf(topic)] as const)
  return (text) => {
    const bloom = Buffer.from(text.slice(2), 'hex')
    const bits = bloom.reduce((sum, byte) => sum + bitsSet(byte), 0)
    if (bloom.length !== BYTES || bits === 0) return { mayHave: null, isFull: false }
    const found = all.filter(([, places]) => places.every(([place, bit]) => ((bloom[place] as number) & bit) !== 0))
    return { mayHave: new Set(found.map(([topic]) => topic)), isFull: bits > FULL_BITS }
  }
}

const bitsSet = (byte: number): number => {
  let count = 0
  for (let rest = byte; rest > 0; rest &= rest - 1) count++
  return count
}
