// Long runs, `npm run soak -- NAME ...`. Each prints its report as a JSON line and exits with 1 if it fails.
import { changeFiles, changeStored } from '../fixtures/changed-files.ts'
import { lookAhead } from '../fixtures/look-ahead.ts'
import { withKafka } from '../services/kafka.ts'
import { startRedis } from '../services/redis.ts'
import { withRegistry } from '../services/registry.ts'
import { runSeeds } from '../simulation/many.ts'
import { fuzzApi } from '../tools/fuzz/world.ts'
import { runAggregates } from './aggregates.ts'
import { isFair, runAlertsFair } from './alerts-fair.ts'
import { soakAlerts } from './alerts-killed.ts'
import { anvilLoad } from './anvil-load.ts'
import { areCutsWell, runContinuity, runDemoBytes, runDemoForks, runDetectorGuards, runLostTrades, runOddsCuts } from './checks.ts'
import { soakCluster } from './cluster.ts'
import { areDecodersEqual, runDecoders } from './decoders.ts'
import { runDemoKills } from './demo-kills.ts'
import { differentialHere, differentialOnKafka, streamOf } from './differential.ts'
import { isFlappingWell, runFlapping } from './flapping.ts'
import { isAwayWell, runHistoryAway } from './history-away.ts'
import { isSizedWell, runHistorySize } from './history-size.ts'
import { runHour, TEN_TIMES } from './hour.ts'
import { runKills } from './kill-run.ts'
import { protocolNamed, runLateEnds, startLateBroker } from './late-ends.ts'
import { runCreators, runMonth } from './month.ts'
import { isOddsWell, runOdds } from './odds.ts'
import { isOutlived, runOutage } from './outage.ts'
import { memoryStore, redisStore, runPayments } from './payments.ts'
import { huntPlanted } from './planted.ts'
import { isSoldThrough, runProxies } from './proxies.ts'
import { soakRolling, soakTakeoverCards } from './rolling.ts'
import { soakTopicBytes } from './topic-bytes.ts'
import { runTwoWays } from './two-ways.ts'
import { upgradeSoak } from './upgrade.ts'
import { soakVersions } from './versions.ts'
import { runWallets } from './wallets.ts'
import { isWatchingWell, runWatchers } from './watchers.ts'

const [what = 'kills', ...args] = process.argv.slice(2)
const print = (line: string): void => void process.stderr.write(`${line}\n`)

/** Resolves to the report and whether the run passes. */
type Soak = (args: readonly string[]) => Promise<{ readonly report: object; readonly isWhole: boolean }>

const judged = async <Report extends object>(running: Promise<Report>, isWhole: (report: Report) => boolean): ReturnType<Soak> => {
  const report = await running
  return { report, isWhole: isWhole(report) }
}

const kills: Soak = async ([count = '100', seed = String(Date.now() % 1_000_000)]) => {
  const report = await runKills(Number(count), Number(seed))
  const lists = [report.broken, report.resentDiffer, report.differences]
  return { report, isWhole: lists.every((list) => list.length === 0) && report.paidMicroUsdc === report.expectedMicroUsdc }
}

const demoKills: Soak = async ([count = '200', seed = String(Date.now() % 1_000_000)]) => {
  const report = await runDemoKills(Number(count), Number(seed), print)
  return { report, isWhole: report.differences.length === 0 && report.exitCode === 0 }
}

const forksKills: Soak = async ([count = '60', seed = String(Date.now() % 1_000_000), forks = '300']) => {
  const report = await runDemoKills(Number(count), Number(seed), print, { forks: Number(forks) })
  const lists = [report.differences, report.notFound]
  return { report, isWhole: lists.every((list) => list.length === 0) && report.exitCode === 0 && report.forks > 0 }
}

const outage: Soak = ([minutes = '15']) => withRegistry((url) => judged(runOutage(Number(minutes) * 60, url), isOutlived))

const planted: Soak = async (names) => {
  const lines = huntPlanted(names, (line) => process.stdout.write(`${JSON.stringify(line)}\n`))
  return {
    report: { planted: lines.length, missed: lines.filter(({ found }) => !found).map(({ name }) => name) },
    isWhole: lines.every(({ found }) => found),
  }
}

const flapping: Soak = ([minutes = '10', seed = String(Date.now() % 1_000_000)]) =>
  withKafka((services) => judged(runFlapping({ seconds: Number(minutes) * 60, speed: 4, seed: Number(seed) }, services), isFlappingWell))

const lateEnds: Soak = ([count = '1000', seed = String(Date.now() % 1_000_000), protocol = 'older']) =>
  withRegistry(async (url) => {
    const broker = await startLateBroker(url, protocolNamed(protocol))
    const world = await broker.open()
    try {
      const report = await runLateEnds(world, Number(count), Number(seed))
      return { report, isWhole: report.torn.length === 0 && report.lost.length === 0 && report.answers['0'] === undefined }
    } finally {
      await world.close()
      await broker.stop()
    }
  })

const historyAway: Soak = ([seconds = '600', seed = String(Date.now() % 1_000_000)]) =>
  judged(runHistoryAway(Number(seconds), Number(seed), 6 * 3_600), isAwayWell)

const historySize: Soak = ([days = '30', part = '1']) => judged(runHistorySize(Number(days), Number(part), print), isSizedWell)

const hour: Soak = async ([minutes = '60', rate = String(TEN_TIMES.rate), speed = String(TEN_TIMES.speed)]) => {
  const report = await runHour(Number(minutes), { rate: Number(rate), speed: Number(speed) }, print)
  return { report, isWhole: report.verdict.length === 0 }
}

const differentialHour: Soak = ([minutes = '60']) =>
  withKafka(async (services) => {
    const plan = streamOf(Number(minutes))
    const [here, kafka] = [await differentialHere(plan), await differentialOnKafka(plan, services)]
    const lists = [here, kafka].flatMap(({ differences }) => Object.values(differences))
    return { report: { here, kafka }, isWhole: lists.every((list) => list.length === 0) }
  })

const simulation: Soak = async ([count = '10000', seed = String(Date.now() % 1_000_000)]) => {
  const report = await runSeeds(Number(count), Number(seed), print)
  return { report, isWhole: report.failures.length === 0 && report.never.length === 0 }
}

const aggregates: Soak = async ([minutes = '10', seed = String(Date.now() % 1_000_000)]) => {
  const report = await runAggregates({ seed: Number(seed), historyMinutes: 60, roundsMin: 4, seconds: Number(minutes) * 60 }, print)
  return { report, isWhole: report.differences.length === 0 && report.noticed > 0 }
}

const twoWays: Soak = async ([seed = '1', rate = '1']) => {
  const report = await runTwoWays(Number(seed), Number(rate), print)
  const lists = Object.values(report).flatMap(({ differences, forgotten }) => [differences, forgotten])
  return { report, isWhole: lists.every((list) => list.length === 0) }
}

/** By default three hours of a market with two forks a minute. */
const lookAheadCuts: Soak = async ([cuts = '1000', seed = String(Date.now() % 1_000_000), seconds = '10800']) => {
  print(`seed ${seed}`)
  const plan = { rate: 1, forksPerHour: 120, partitions: 3, freshRuns: Math.ceil(Number(cuts) / 100) }
  const report = lookAhead({ ...plan, seed: Number(seed), seconds: Number(seconds), cuts: Number(cuts) })
  return { report: { seed: Number(seed), ...report }, isWhole: report.flips.length === 0 && report.resolvedPriors > 0 }
}

const detectorGuards: Soak = ([seeds = '10', seed = String(Date.now() % 1_000_000)]) =>
  judged(runDetectorGuards(Number(seeds), Number(seed), print), ({ missed, accused }) => missed.length + accused.length === 0)

const lostTrades: Soak = async ([minutes = '60', seed = String(Date.now() % 1_000_000)]) => {
  const report = await runLostTrades(Number(minutes), Number(seed))
  const lists = [report.oneSource, report.twoSources].flatMap(({ missed, extra }) => [missed, extra])
  return { report, isWhole: lists.every((list) => list.length === 0) && report.oneSource.reported > 0 && report.twoSources.reported > 0 }
}

const continuity: Soak = async ([minutes = '60', seed = String(Date.now() % 1_000_000)]) => {
  const report = runContinuity(Number(minutes), Number(seed))
  return { report, isWhole: report.findings.length === 0 && report.unfollowed.length === 0 && report.full > 0 }
}

const demoBytes: Soak = async ([seconds = '3600', rate = '1', seed = '1']) => {
  const report = runDemoBytes(+seconds, +rate, +seed)
  return { report, isWhole: report.different.length === 0 && report.deadLetters === 0 }
}

const demoForks: Soak = async ([seconds = '3600', perHour = '60', seed = '1']) => {
  const report = runDemoForks(+seconds, +perHour, +seed)
  return { report, isWhole: report.different === 0 }
}

const watchers: Soak = ([clients = '2000', checksPerS = '100', seconds = '300']) =>
  judged(runWatchers(Number(clients), Number(checksPerS), Number(seconds)), isWatchingWell)

const payments: Soak = async ([count = '2000', seed = String(Date.now() % 1_000_000)]) => {
  print(`seed ${seed}`)
  const report = await runPayments({ seeds: Number(count), from: Number(seed), openStore: memoryStore, shops: 1, print })
  return { report, isWhole: report.failures.length === 0 && report.never.length === 0 }
}

/** Ten markets with ten seeds; every second market without payments. */
const fuzzing: Soak = async ([count = '10000', seed = String(Date.now() % 1_000_000)]) => {
  print(`seed ${seed}`)
  const reports = []
  for (let n = 0; n < 10; n += 1) reports.push(await fuzzApi(Math.ceil(Number(count) / 10), Number(seed) + n))
  return { report: { seed: Number(seed), reports }, isWhole: reports.every(({ faults }) => faults.length === 0) }
}

/** Two shops on one Redis. */
const paymentsRedis: Soak = async ([count = '500', seed = String(Date.now() % 1_000_000)]) => {
  print(`seed ${seed}`)
  const redis = await startRedis()
  try {
    const report = await runPayments({ seeds: Number(count), from: Number(seed), openStore: redisStore(redis.url), shops: 2, print })
    return { report, isWhole: report.failures.length === 0 && report.never.length === 0 }
  } finally {
    await redis.stop()
  }
}

/** 100 dead and 100 slow targets, for some four minutes. */
const alertsFair: Soak = ([dead = '100', slow = '100', seed = '1']) =>
  judged(runAlertsFair({ dead: +dead, slow: +slow, rounds: 3, flags: 300, everyMs: 100, seed: +seed }, print), isFair)

const files: Soak = async ([cases = '20000', seed = String(Date.now() % 1_000_000)]) => {
  const report = { seed: Number(seed), ...changeFiles(Number(cases), Number(seed)), stored: changeStored(Number(cases), Number(seed)) }
  return { report, isWhole: [report.lost, report.thrown, report.stored].every((list) => list.length === 0) }
}

const SOAKS: Readonly<Record<string, Soak>> = {
  kills,
  'kills-demo': demoKills,
  'forks-kills': forksKills,
  flapping,
  rolling: soakRolling,
  'takeover-cards': soakTakeoverCards,
  cluster: soakCluster(print),
  odds: ([hours = '72', rate = '10', seed = '1']) => judged(runOdds({ hours: +hours, rate: +rate, seed: +seed }, print), isOddsWell),
  'odds-cuts': ([count = '1000', seed = '1']) => judged(runOddsCuts(+count, +seed), areCutsWell),
  outage,
  planted,
  'late-ends': lateEnds,
  'history-away': historyAway,
  'history-size': historySize,
  hour,
  month: ([days = '30', seed = '1']) => judged(runMonth(+days, +seed, print), ({ verdict }) => verdict.faults.length === 0),
  creators: ([days = '30', perDay = '33000', seed = '1']) => judged(runCreators(+days, +perDay, +seed, print), (of) => of.isBounded),
  'differential-hour': differentialHour,
  simulation,
  'anvil-load': anvilLoad,
  'two-ways': twoWays,
  'topic-bytes': soakTopicBytes,
  'look-ahead': lookAheadCuts,
  'detector-guards': detectorGuards,
  'lost-trades': lostTrades,
  continuity,
  'demo-bytes': demoBytes,
  'demo-forks': demoForks,
  wallets: ([positions = '10000000', trades = '2000000']) => judged(runWallets(+positions, +trades, print), () => true),
  aggregates,
  payments,
  alerts: soakAlerts,
  'alerts-fair': alertsFair,
  'payments-redis': paymentsRedis,
  proxies: ([tries = '500', seed = String(Date.now() % 1_000_000)]) => judged(runProxies(+tries, +seed, print), isSoldThrough),
  fuzz: fuzzing,
  files,
  decoders: () => judged(runDecoders(print), areDecodersEqual),
  watchers,
  upgrade: (args) => upgradeSoak(args, print),
  versions: (args) => soakVersions(args, print),
}

const soak = SOAKS[what]
if (soak === undefined) {
  print(`unknown soak ${what}; there are: ${Object.keys(SOAKS).join(', ')}`)
  process.exit(2)
}
const { report, isWhole } = await soak(args)
process.stdout.write(`${JSON.stringify(report)}\n`)
process.exit(isWhole ? 0 : 1)
