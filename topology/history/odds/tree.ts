// The Merkle tree over the odds of an hour: leaves, nodes and root have separate hash prefixes, so that none can pass for another.
//
// Leaves are sorted by id and split into groups; each group has a tree, and the group roots have one more. A proof then reads only one
// group, however many values an hour has, and is verified like a proof of a single tree.
import { hash } from 'node:crypto'
import { SimpleMerkleTree } from '@openzeppelin/merkle-tree'
import type { LoggedValue } from '../../ports/odds-history.ts'

/** Leaves per group. */
export const GROUP_LEAVES = 256

const [LEAF, NODE, ROOT] = [Buffer.of(0), Buffer.of(1), Buffer.of(2)]
const sha256 = (...parts: readonly Buffer[]): string => hash('sha256', Buffer.concat(parts))

/** The preimage of a value's leaf: no field contains a tab. */
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
/** The root of a tree over at least one leaf. */
export const topOf = (leaves: readonly string[]): string => treeOf(leaves).root.slice(2)
/** The sibling hashes from a leaf up to the root. */
const pathOf = (leaves: readonly string[], index: number): readonly string[] =>
  treeOf(leaves)
    .getProof(index)
    .map((node) => node.slice(2))

/** `tops` are the roots of the groups, in order; empty for an hour without values. */
export const rootOf = (hour: number, n: number, tops: readonly string[]): string =>
  sha256(ROOT, Buffer.from(`${hour}\t${n}\t`), tops.length === 0 ? Buffer.alloc(0) : Buffer.from(topOf(tops), 'hex'))

/** Proof for a leaf of a group. */
export const proofOf = (leaves: readonly string[], index: number, tops: readonly string[], group: number): readonly string[] => [
  ...pathOf(leaves, index),
  ...pathOf(tops, group),
]
