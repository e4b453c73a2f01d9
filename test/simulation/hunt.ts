// Runs seeds until one fails: `hunt.ts SECONDS FIRST_SEED`. Prints one line of JSON: the seed and the failure, or how many seeds passed.
import { messageOf } from '../../schemas/errors.ts'
import { domainOf, runTrial } from './trial.ts'

const [secondsMax = 600, first = 0] = process.argv.slice(2).map(Number)
const startedMs = performance.now()
const seconds = (): number => Math.round((performance.now() - startedMs) / 100) / 10

const brokenOf = async (seed: number): Promise<string | undefined> => {
  try {
    return (await runTrial({ seed, domain: domainOf(seed) })).broken[0]
  } catch (failure) {
    return messageOf(failure)
  }
}

let seed = first
const end = (broken?: string): never => {
  process.stdout.write(`${JSON.stringify(broken === undefined ? { tried: seed - first } : { seed, broken: broken.slice(0, 200) })}\n`)
  process.exit(broken === undefined ? 0 : 1)
}
process.on('unhandledRejection', (failure) => end(`nobody waited for what failed: ${messageOf(failure)}`))
for (; seconds() < secondsMax; seed++) {
  const broken = await brokenOf(seed)
  if (broken !== undefined) end(broken)
}
end()
