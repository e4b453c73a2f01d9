// Encodes and decodes base58, four characters and three bytes at a time: ten times as fast as one by one. Decoding the instructions of a
// block needs this speed.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const RADIX = 58
const BAD = 255
/** Value of each character code below 128; BAD for other characters. */
const VALUES = new Uint8Array(128).fill(BAD)
for (let value = 0; value < RADIX; value++) VALUES[ALPHABET.charCodeAt(value)] = value

const GROUP_CHARS = 4
const LIMB_BYTES = 3
const LIMB = 2 ** (8 * LIMB_BYTES)
/** Longer text is refused, because the time is quadratic. The chain's longest data has 10 KB. */
const CHARS_MAX = 16_384

/** Reused by all calls. Limbs of 24 bits, lowest first; a limb times 58^4 stays below 2^48. */
const limbs = new Float64Array(Math.ceil((CHARS_MAX * 0.7326) / LIMB_BYTES) + 2)

/** Writes the value of `text` from `start` on to the limbs and returns how many limbs it uses; -1 at an invalid character. */
const readLimbs = (text: string, start: number): number => {
  let used = 0
  for (let at = start; at < text.length; ) {
    const end = Math.min(at + GROUP_CHARS, text.length)
    let carry = 0
    let scale = 1
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      const value = code < 128 ? (VALUES[code] as number) : BAD
      if (value === BAD) return -1
      carry = carry * RADIX + value
      scale *= RADIX
    }
    for (let i = 0; i < used; i++) {
      const sum = (limbs[i] as number) * scale + carry
      carry = Math.floor(sum / LIMB)
      limbs[i] = sum - carry * LIMB
    }
    if (carry > 0) limbs[used++] = carry
  }
  return used
}

const bytesOfLimb = (limb: number): number => (limb >= 0x1_0000 ? 3 : limb >= 0x100 ? 2 : 1)

/** Decodes text; undefined for an invalid character or for more than 16,384 characters. A leading `1` is a zero byte. */
export const decodeBase58 = (text: string): Buffer | undefined => {
  if (text.length > CHARS_MAX) return undefined
  let zeros = 0
  while (zeros < text.length && text.charCodeAt(zeros) === 0x31) zeros++
  const used = readLimbs(text, zeros)
  if (used < 0) return undefined
  const size = used === 0 ? 0 : (used - 1) * LIMB_BYTES + bytesOfLimb(limbs[used - 1] as number)
  const bytes = Buffer.alloc(zeros + size)
  let place = bytes.length
  for (let i = 0; i < used; i++)
    for (let n = 0, limb = limbs[i] as number; n < LIMB_BYTES && place > zeros; n++, limb = Math.floor(limb / 256))
      bytes[--place] = limb % 256
  return bytes
}

/** Texts of two digits, by value. */
const PAIR = RADIX * RADIX
const PAIRS = Array.from({ length: PAIR }, (_, value) => `${ALPHABET[Math.floor(value / RADIX)]}${ALPHABET[value % RADIX]}`)
const GROUP = PAIR * PAIR
const groupText = (group: number): string => `${PAIRS[Math.floor(group / PAIR)]}${PAIRS[group % PAIR]}`

/** Encodes bytes given as latin1 text, one character per byte: at most 10,000. */
export const encodeBase58 = (latin1: string): string => {
  let zeros = 0
  while (zeros < latin1.length && latin1.charCodeAt(zeros) === 0) zeros++
  const used = readGroups(latin1, zeros)
  let text = ''
  for (let i = used - 2; i >= 0; i--) text += groupText(limbs[i] as number)
  const head = used === 0 ? '' : groupText(limbs[used - 1] as number).replace(/^1+/, '')
  return '1'.repeat(zeros) + head + text
}

/** Like `readLimbs`, from bytes: each limb is a group of four base58 digits, lowest first; a group times 2^24 stays below 2^48. */
const readGroups = (latin1: string, start: number): number => {
  let used = 0
  for (let at = start; at < latin1.length; ) {
    const end = Math.min(at + LIMB_BYTES, latin1.length)
    let carry = 0
    let scale = 1
    for (; at < end; at++) {
      carry = carry * 256 + latin1.charCodeAt(at)
      scale *= 256
    }
    for (let i = 0; i < used; i++) {
      const sum = (limbs[i] as number) * scale + carry
      carry = Math.floor(sum / GROUP)
      limbs[i] = sum - carry * GROUP
    }
    for (; carry > 0; carry = Math.floor(carry / GROUP)) limbs[used++] = carry % GROUP
  }
  return used
}
