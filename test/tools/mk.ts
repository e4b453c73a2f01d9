import { writeFileSync } from 'node:fs'
import { tapeBatchCodec } from '../../schemas/codecs.ts'
import { toBase58 } from '../../schemas/keys.ts'
import { writeTape } from '../../topology/sources/recording/tape-file.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
const [hours, seed, rate, out] = process.argv.slice(2)
const truths: string[] = []
function* batches() { for (const slot of demoSlots({ seed: Number(seed), rate: Number(rate), seconds: Number(hours) * 3600 }, { onTruth: (t) => truths.push(JSON.stringify({ ...t, mint: toBase58(t.mint), creator: toBase58(t.creator), bundleWallets: t.bundleWallets.length, insiders: t.insiders.length })) })) yield batchOf(slot) }
await writeTape(out as string, batches(), tapeBatchCodec)
writeFileSync(`${out}.truth.jsonl`, truths.join('\n'))
console.log(truths.length)
