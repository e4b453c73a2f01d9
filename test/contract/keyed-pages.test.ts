// Pages by key in memory, and on disk with every share of young keys.
import { SCRATCH_LIMITS } from '../../topology/data-dir/scratch-pages.ts'
import { IN_MEMORY } from '../../topology/engine/rows/memory-pages.ts'
import { testScratch } from '../fixtures/scratch.ts'
import { keyedPagesContract } from './keyed-pages-contract.ts'

keyedPagesContract('memory', () => ({ store: IN_MEMORY, close: async () => {} }))
keyedPagesContract('a disk without young keys', () => testScratch({ youngBytesMax: 0 }))
keyedPagesContract('a disk with a few young keys', () => testScratch({ youngBytesMax: 6_000 }))
keyedPagesContract('a disk with many young keys', () => testScratch({ youngBytesMax: 120_000 }))
keyedPagesContract('a disk with young keys only', () => testScratch(SCRATCH_LIMITS))
