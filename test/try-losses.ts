import { demoStories, realStories } from './fixtures/losses/stories.ts'
import { putLosses } from './fixtures/losses/losses.ts'
const t0 = Date.now()
const [, , n, sec] = process.argv
const demo = demoStories({ seed: 3, rate: 2, seconds: Number(sec) })
const real = realStories()
console.log(demo.length, real.length, Date.now() - t0)
const { kinds, withoutWitness, ...rest } = putLosses([...demo, ...real], Number(n), 1)
for (const [k, v] of Object.entries({ ...kinds, ...withoutWitness })) console.log(k, JSON.stringify(v))
console.log(JSON.stringify(rest, null, 1), Date.now() - t0)
