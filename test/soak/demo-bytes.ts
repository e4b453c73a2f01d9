// `npx tsx test/soak/demo-bytes.ts [seconds] [rate] [seed]`: decodes an hour of the demo's frames and compares them with its tape.
import { DEMO_DEFAULTS } from '../../topology/simulator/solana/defaults.ts'
import { compareBytes } from '../fixtures/demo-bytes-compare.ts'

const [seconds = '3600', rate = '1', seed = '1'] = process.argv.slice(2)
const compared = compareBytes({ ...DEMO_DEFAULTS, rate: Number(rate), seed: Number(seed) }, Number(seconds))
process.stdout.write(`${JSON.stringify(compared)}\n`)
process.exit(compared.different.length === 0 && compared.deadLetters === 0 ? 0 : 1)
