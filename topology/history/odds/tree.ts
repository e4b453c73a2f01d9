// The Merkle tree over the odds of an hour: leaves, nodes and root are hashed apart, so that none can pass for another.
//
// Leaves are sorted by id, in groups; each group has a tree, and the tops of the groups have one more. A proof of a value then reads one
// group, however many values an hour has, and is checked as if it were one tree.
import { hash } from 'node:crypto'
import { SimpleMerkleTree } from '@openzeppelin/merkle-tree'
import type { LoggedValue } from '../../ports/odds-history.ts'

/** Leaves of a group. */
export const GROUP_LEAVES = 256

const [LEAF, NODE, ROOT] = [Buffer.of(0), Buffer.of(1), Buffer.of(2)]
const sha256 = (...parts: readonly Buffer[]): string => hash('sha256', Buffer.concat(parts))

/** What the leaf of a value is the hash of: nothing in it holds a tab. */
export const lineOf = (value: LoggedValue): string =>
  [
    'mintfold-odds-1',
    ...[value.id, value.mint, value.head, value.ageS, value.t0, value.ppm, value.model, value.inputsHash, value.at],
    value.isShadow ? 'shadow' : 'live',
  ].join('\t')
/** 64 hex digits. */
export const leafOf = (line: string): string => sha256(LEAF, Buffer.from(line, 'utf8'))

const bytesOf = (node: string | Uint8Array): Buffer =>
  typeof node === 'string' ? Buffer.from(node.slice(2), 'hex') : Buffer.from(node.buffer, node.byteOffset, node.byteLength)
type NodeHash = NonNullable<Parameters<typeof SimpleMerkleTree.verify>[3]>
const nodeHash: NodeHash = (left, right) => {
  const [a, b] = [bytesOf(left as string), bytesOf(right as string)]
  return `0x${Buffer.compare(a, b) < 0 ? sha256(NODE, a, b) : sha256(NODE, b, a)}`
}

const treeOf = (leaves: readonly string[]): SimpleMerkleTree =>
  SimpleMerkleTree.of(
    leaves.map((leaf) => `0x${leaf}`),
    { nodeHash, sortLeaves: false },
  )
/** The top of a tree over at least one leaf. */
export const topOf = (leaves: readonly string[]): string => treeOf(leaves).root.slice(2)
/** Hashes beside the way from a leaf to the top, from the leaf on. */
const pathOf = (leaves: readonly string[], index: number): readonly string[] =>
  treeOf(leaves)
    .getProof(index)
    .map((node) => node.slice(2))

/** `tops` are those of the groups, in their order; none of an hour without values. */
export const rootOf = (hour: number, n: number, tops: readonly string[]): string =>
  sha256(ROOT, Buffer.from(`${hour}\t${n}\t`), tops.length === 0 ? Buffer.alloc(0) : Buffer.from(topOf(tops), 'hex'))

/** Proof of a leaf of a group. */
export const proofOf = (leaves: readonly string[], index: number, tops: readonly string[], group: number): readonly string[] => [
  ...pathOf(leaves, index),
  ...pathOf(tops, group),
]
