// Single losses in real and demo blocks: each has to be found within one trade of the same reserves, and nothing where nothing is lost.
import { Seeded } from '../../processors/seeded.ts'
import { keyText } from '../../schemas/keys.ts'
import { alarmsIn, alarmsOfDemo, isBroken } from '../fixtures/losses/alarms.ts'
import { type LossesReport, putLosses } from '../fixtures/losses/losses.ts'
import { demoStories, realStories } from '../fixtures/losses/stories.ts'
import { realTransactions } from '../fixtures/real-transactions.ts'

/** Of stream time, in which coins of the demo are launched and trade. */
const STORIES_S = 1_200
const BLOCKS_MAX = 400
const DEMO_HOURS = 6

interface LossesRun extends LossesReport {
  readonly seed: number
  readonly wanted: number
  readonly stories: Readonly<Record<'demo' | 'real', number>>
  /** Coins whose recorded transactions of one slot lack others between them: no losses are put into these. */
  readonly unfollowed: readonly string[]
  readonly untouched: { readonly falseAlarms: readonly string[] }
  readonly demo: ReturnType<typeof alarmsOfDemo>
}

const areLossesFound = ({ wanted, put, missed, untouched, demo }: LossesRun): boolean =>
  put === wanted && missed.length === 0 && untouched.falseAlarms.length === 0 && demo.falseAlarms.length === 0

const runLosses = (losses: number, seed: number): LossesRun => {
  const demo = demoStories({ seed, rate: 2, seconds: STORIES_S }, BLOCKS_MAX)
  const real = realStories(realTransactions().filter(({ origin }) => origin === 'chain'))
  const stories = [...demo, ...real].filter((story) => !isBroken(story))
  return {
    seed,
    wanted: losses,
    stories: { demo: demo.length, real: real.length },
    unfollowed: real.filter(isBroken).map(({ mint }) => keyText(mint)),
    ...putLosses(stories, losses, new Seeded(seed)),
    untouched: { falseAlarms: alarmsIn(stories) },
    demo: alarmsOfDemo({ seed, rate: 1, seconds: DEMO_HOURS * 3_600 }),
  }
}

export const soakLosses = async ([losses = '1000', seed = String(Date.now() % 1_000_000)]: readonly string[]) => {
  const report = runLosses(Number(losses), Number(seed))
  return { report, isWhole: areLossesFound(report) }
}
