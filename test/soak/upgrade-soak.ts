// Runs the upgrade soak on an embedded log and on Kafka.
import { findKafka, startKafka } from '../services/kafka.ts'
import { isUpgradedWell, upgradesHere, upgradesOnKafka } from './upgrade.ts'

export const upgradeSoak = async (
  [minutes = '10', seed = String(Date.now() % 1_000_000)]: readonly string[],
  print: (line: string) => void,
) => {
  const plan = { seconds: Number(minutes) * 60, speed: 1, seed: Number(seed), partitions: 4, print }
  const services = await startKafka(await findKafka())
  try {
    const reports = [await upgradesHere(plan), await upgradesOnKafka(plan, services)]
    return { report: { seed: plan.seed, reports }, isWhole: reports.every(isUpgradedWell) }
  } finally {
    await services.stop()
  }
}
