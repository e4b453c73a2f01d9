// The Merkle-Patricia trie of a block's receipts, and the path to one of them.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Hex, hexToBytes, toHex, toRlp } from 'viem'

type Item = Hex | readonly Item[]
type Leaf = readonly [path: readonly number[], value: Hex]

const keccak = (bytes: Hex): Hex => toHex(keccak_256(hexToBytes(bytes)))

const nibblesOf = (key: Hex): number[] => [...key.slice(2)].map((digit) => Number.parseInt(digit, 16))
/** Key of a receipt: RLP of its index in the block. */
const pathOf = (index: number): number[] => nibblesOf(toRlp(index === 0 ? '0x' : toHex(hexToBytes(toHex(index)))))

/** Hex-prefix encoding of a part of a path. */
const packed = (path: readonly number[], isLeaf: boolean): Hex => {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2)
  const head = path.length % 2 === 1 ? [flag, ...path] : [flag, 0, ...path]
  return `0x${head.map((digit) => digit.toString(16)).join('')}`
}

const sharedLength = (leaves: readonly Leaf[]): number => {
  const [first, ...others] = leaves.map(([path]) => path) as [readonly number[], ...(readonly number[])[]]
  let length = 0
  while (length < first.length && others.every((path) => path[length] === first[length])) length++
  return length
}

/** Adds the encoded node to the list if it is on the path `sought`; `sought` is undefined elsewhere. */
const nodeOf = (leaves: readonly Leaf[], sought: readonly number[] | undefined, way: Hex[]): Item => {
  const [only] = leaves
  if (only === undefined) return '0x'
  const place = way.length
  const node = leaves.length === 1 ? [packed(only[0], true), only[1]] : splitOf(leaves, sought, way)
  if (sought !== undefined) way.splice(place, 0, toRlp(node as never))
  return node
}

const splitOf = (leaves: readonly Leaf[], sought: readonly number[] | undefined, way: Hex[]): Item => {
  const shared = sharedLength(leaves)
  if (shared > 0) {
    const prefix = leaves[0]?.[0].slice(0, shared) ?? []
    const rest = leaves.map(([path, value]): Leaf => [path.slice(shared), value])
    return [packed(prefix, false), referenceTo(rest, sought?.slice(shared), way)]
  }
  const branch = Array.from({ length: 16 }, (_, digit): Item => {
    const below = leaves.filter(([path]) => path[0] === digit).map(([path, value]): Leaf => [path.slice(1), value])
    return referenceTo(below, sought?.[0] === digit ? sought.slice(1) : undefined, way)
  })
  return [...branch, leaves.find(([path]) => path.length === 0)?.[1] ?? '0x']
}

/** Nodes of less than 32 bytes are embedded in their parent. */
const referenceTo = (leaves: readonly Leaf[], sought: readonly number[] | undefined, way: Hex[]): Item => {
  const inside: Hex[] = []
  const node = nodeOf(leaves, sought, inside)
  if (leaves.length === 0) return node
  const encoded = toRlp(node as never)
  const isSmall = hexToBytes(encoded).length < 32
  way.push(...(isSmall ? inside.slice(1) : inside))
  return isSmall ? node : keccak(encoded)
}

/** The root, and the nodes from it down to the receipt at `index`. `receipts`: encoded, all of the block, in order. */
export const receiptProof = (receipts: readonly Hex[], index: number): { readonly root: Hex; readonly proof: readonly Hex[] } => {
  const leaves = receipts.map((receipt, place): Leaf => [pathOf(place), receipt])
  const proof: Hex[] = []
  const root = nodeOf(leaves, pathOf(index), proof)
  return { root: keccak(toRlp(root as never)), proof }
}
