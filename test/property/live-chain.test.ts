// The live chain against trees of blocks that arrive in any order, twice, late or not at all.
import fc from 'fast-check'
import { type ChainStep, LiveChain } from '../../topology/sources/solana/chain.ts'
import type { LiveFrame } from '../../topology/sources/solana/feed.ts'

const frame = (number: number, hash: string, parentNumber: number, parentHash: string): LiveFrame => ({
  type: 'frame',
  chain: 'solana',
  number,
  hash,
  hashSynthetic: false,
  parentNumber,
  parentHash,
  status: 'processed',
  blockTime: number,
  whole: true,
  placed: true,
  vouched: false,
  part: 0,
  parts: 1,
  body: Buffer.alloc(0),
  missing: [],
})
const ROOT = frame(100, 'root', 99, 'before')

/** Each block: how many blocks back its parent is, and how many slots are skipped before it. */
const growth = fc.array(fc.record({ back: fc.nat(6), skip: fc.nat(2) }), { minLength: 1, maxLength: 30 })
/** How each block arrives: not at all, twice, or late by up to three blocks. */
const fates = fc.array(fc.record({ isLost: fc.boolean(), isTwice: fc.boolean(), delay: fc.nat(3) }), { minLength: 30, maxLength: 30 })

const treeOf = (steps: readonly { readonly back: number; readonly skip: number }[]): LiveFrame[] => {
  const frames = [ROOT]
  for (const [n, { back, skip }] of steps.entries()) {
    const newest = Math.max(...frames.map(({ number }) => number))
    const parent = frames[Math.max(0, frames.length - 1 - back)] as LiveFrame
    frames.push(frame(newest + 1 + skip, `block${n}`, parent.number, parent.hash))
  }
  return frames
}
const pathTo = (tip: LiveFrame, frames: readonly LiveFrame[]): string[] => {
  const path: string[] = []
  for (let at: LiveFrame | undefined = tip; at !== undefined; ) {
    const { hash, parentHash }: LiveFrame = at
    path.unshift(hash)
    at = frames.find((one) => one.hash === parentHash)
  }
  return path
}
const branchAfter = (steps: readonly ChainStep[]): LiveFrame[] => {
  let frames: LiveFrame[] = []
  for (const one of steps) {
    if (one.type === 'frame') frames.push(one)
    else if (one.type === 'revert') {
      const index = frames.findIndex(({ hash }) => hash === one.hash)
      if (index < 0) throw new Error('a revert to a frame that is not on the branch')
      frames = frames.slice(0, index + 1)
    }
  }
  return frames
}
const delivered = (frames: readonly LiveFrame[], fate: readonly { isLost: boolean; isTwice: boolean; delay: number }[]): LiveFrame[] =>
  frames
    .flatMap((one, n) => {
      const { isTwice, delay } = fate[n % fate.length] as (typeof fate)[number]
      return [{ one, at: n + delay }, ...(isTwice ? [{ one, at: n + 5 }] : [])]
    })
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)

describe('the live chain', () => {
  test('ends on the whole branch of the newest block, for any tree and order, if missing frames can be fetched', async () => {
    await fc.assert(
      fc.asyncProperty(growth, fates, async (steps, fate) => {
        const frames = treeOf(steps)
        const chain = new LiveChain('processed', async (slot) => frames.find(({ number }) => number === slot) ?? 'none')
        const received: ChainStep[] = [...(await chain.frame(ROOT))]
        const tip = frames.at(-1) as LiveFrame
        const lossy = delivered(frames.slice(1), fate).filter((one) => one === tip || !fate[frames.indexOf(one) % fate.length]?.isLost)
        for (const one of lossy) received.push(...(await chain.frame(one)))
        const canonical = branchAfter(received)
        expect(canonical.map(({ hash }) => hash)).toEqual(pathTo(tip, frames))
        expect(canonical.flatMap(({ missing }) => missing)).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  test('links each frame to the one before or reports the missing numbers between, if frames are lost and cannot be fetched', async () => {
    await fc.assert(
      fc.asyncProperty(growth, fates, async (steps, fate) => {
        const frames = treeOf(steps)
        const chain = new LiveChain('processed', null)
        const received: ChainStep[] = [...(await chain.frame(ROOT))]
        for (const one of delivered(frames.slice(1), fate))
          if (!fate[frames.indexOf(one) % fate.length]?.isLost) received.push(...(await chain.frame(one)))
        const canonical = branchAfter(received)
        for (const [n, one] of canonical.entries()) {
          const before = canonical[n - 1]
          if (before === undefined) continue
          expect(one.number).toBeGreaterThan(before.number)
          const isNext = one.parentHash === before.hash
          expect(one.missing.length).toBe(isNext ? 0 : 1)
          if (!isNext) expect(one.missing[0]).toMatchObject({ from: before.number + 1, to: Math.max(before.number + 1, one.parentNumber) })
        }
        expect(canonical.at(-1)?.hash).toBe(chain.head?.hash)
      }),
      { numRuns: 400 },
    )
  })

  test('never lowers the final number, keeps confirmed at or above it, and never reverts below it, whenever slot statuses arrive', async () => {
    await fc.assert(
      fc.asyncProperty(growth, fates, fc.array(fc.nat(40), { maxLength: 40 }), async (steps, fate, choices) => {
        const frames = treeOf(steps)
        const tip = frames.at(-1) as LiveFrame
        const canonical = new Set(pathTo(tip, frames))
        const sure = frames.filter(({ hash }) => canonical.has(hash)).map(({ number }) => number)
        const chain = new LiveChain('processed', async (slot) => frames.find(({ number }) => number === slot) ?? 'none')
        const received: ChainStep[] = [...(await chain.frame(ROOT))]
        for (const [n, one] of delivered(frames.slice(1), fate).entries()) {
          received.push(...(await chain.frame(one)))
          const confirmed = sure[(choices[n % Math.max(1, choices.length)] ?? 0) % sure.length] as number
          const finalized = sure.findLast((number) => number <= confirmed - 6) ?? -1
          if (confirmed <= (chain.head?.number ?? 0)) received.push(...chain.feedNotice({ type: 'standing', confirmed, finalized }))
        }
        let finalized = -1
        for (const one of received) {
          if (one.type === 'finality') {
            expect(one.finalized).toBeGreaterThanOrEqual(finalized)
            expect(one.confirmed).toBeGreaterThanOrEqual(one.finalized)
            finalized = one.finalized
          } else if (one.type === 'revert') expect(one.number).toBeGreaterThanOrEqual(finalized)
        }
        expect(branchAfter(received).at(-1)?.hash).toBe(chain.head?.hash)
      }),
      { numRuns: 400 },
    )
  })
})
