// `mintfold alerts list|test|cancel`: alert subscriptions and their deliveries. Secrets, tokens and full addresses are not shown.
import * as z from 'zod'
import type { Pause } from '../../../query-api/alerts/alert.ts'
import { type Overview, overviewOf, targetText } from '../../../query-api/alerts/overview.ts'
import type { AlertRows } from '../../../query-api/alerts/rows/alert-rows.ts'
import { unknownSubscription } from '../../../query-api/alerts/testing.ts'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import { askControl } from '../../operations/control/client.ts'
import { type Io, type Register, UsageError } from '../command.ts'
import { isJson, type ListOptions, plain, withListOptions } from '../output/listing.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { openAlertRows } from '../selling/open-alerts.ts'
import { settingsWithoutApi } from '../settings/settings.ts'
import { Closing } from '../start/closing.ts'

const STATES: readonly Overview['state'][] = ['running', 'expired', 'cancelled', 'unknown']
/** A target has 10 s to respond. */
const TEST_SILENT_MS_MAX = 15_000
const MS = 1_000
const statusSchema = z.object({ folded: z.object({ time: z.number() }) })

/** Terms are measured in the time of the stream, which only a running mintfold knows. */
const UNKNOWN = 'unknown: no mintfold runs on the data directory, or it is starting, so that it is not known whether the term has ended'

interface AlertOptions extends ListOptions {
  readonly state?: string
}

export const register: Register = (command, io) => {
  command.description(
    'Subscriptions made at /v1/alerts/webhook, read from the data directory (also while mintfold runs) or from REDIS_URL. Shows no secrets ' +
      'or tokens, and only the host of a target. A subscription that has ended is listed for one day.',
  )
  withListOptions(command.command('list'))
    .description(
      'One line per subscription, newest first: id, state, end, kinds, minimum odds, target, alerts delivered, pending and given up, and why the ' +
        'newest one failed; for a target that fails, until when it is paused, since when and how often it failed. JSON also lists the alerts ' +
        'that were given up.',
    )
    .option('--state <state>', `only ${STATES.join(', ')}`)
    .action((options: AlertOptions) => list(options, io))
  command
    .command('test')
    .description(
      'Asks the mintfold that runs on the data directory to send one alert of kind test to the target, without retries. Exit code 1 when the target does not ' +
        'accept it.',
    )
    .argument('<id>', 'as printed by list')
    .action((id: string) => test(id, io))
  command
    .command('cancel')
    .description('Ends a subscription immediately and permanently, without a refund. A running mintfold notices within seconds.')
    .argument('<id>', 'as printed by list')
    .action((id: string) => cancel(id, io))
}

const withRows = async (io: Io, use: (rows: AlertRows) => Promise<void>): Promise<void> => {
  const settings = settingsWithoutApi(io.env)
  await new Closing(io.printNotice).after(async (closing) => {
    const notice = noticesTo(createLogger({ logLevel: settings.logLevel, terminal: io.terminal }))
    await use(await openAlertRows(settings, closing, notice))
  })
}

/** Stream time of the running mintfold; null when none responds, or it does not know it yet. */
const nowS = async (io: Io): Promise<number | null> => {
  try {
    const status = await askControl({ dataDir: settingsWithoutApi(io.env).dataDir, command: 'status', stop: io.stop })
    return statusSchema.safeParse(status).data?.folded.time ?? null
  } catch (failure) {
    if (!(failure instanceof EngineError)) throw failure
    return null
  }
}

const list = ({ state, ...options }: AlertOptions, io: Io): Promise<void> => {
  const { limit } = options
  const inJson = isJson(options)
  if (state !== undefined && !STATES.some((known) => known === state))
    throw new UsageError(`--state is one of ${STATES.join(', ')}, not ${state}`)
  return withRows(io, async (rows) => {
    const all = await overviewOf(rows, await nowS(io))
    const wanted = all.filter((one) => state === undefined || one.state === state).reverse()
    for (const one of wanted.slice(0, limit)) await io.out(`${inJson ? JSON.stringify(factsOf(one)) : lineOf(one)}\n`)
    const counts = STATES.map((name) => ({ name, n: all.filter((one) => one.state === name).length }))
      .filter(({ name, n }) => n > 0 || name !== 'unknown')
      .map(({ name, n }) => `${n} ${name}`)
    if (all.some((one) => one.state === 'unknown')) io.printNotice(UNKNOWN)
    io.printNotice(`${Math.min(limit, wanted.length)} of ${all.length} subscriptions (${counts.join(', ')})`)
  })
}

const test = async (id: string, io: Io): Promise<void> => {
  const { dataDir } = settingsWithoutApi(io.env)
  const asked = { dataDir, command: 'alerts-test', args: { id }, stop: io.stop, silentMsMax: TEST_SILENT_MS_MAX }
  try {
    const { isDelivered, reason } = await askControl(asked)
    io.printNotice(
      isDelivered === true ? `${id}: the target accepted the test` : `${id}: the target did not accept the test: ${plain(String(reason))}`,
    )
    if (isDelivered !== true) io.setExitCode(1)
  } catch (failure) {
    if (hasCode(failure, 'control_unreachable'))
      throw new EngineError(
        'control_unreachable',
        `${failure.message}. Tests are sent by a running mintfold: start it, then test again`,
        {},
      )
    throw failure instanceof EngineError && failure.facts.error === 'alerts_unknown' ? new UsageError(failure.message) : failure
  }
}

const cancel = (id: string, io: Io): Promise<void> =>
  withRows(io, async (rows) => {
    if (!(await rows.all('subscriptions')).has(id)) throw new UsageError(unknownSubscription(id).message)
    const isNew = await rows.add('cancelled', id, { at: await nowS(io) })
    io.printNotice(isNew ? `${id} is cancelled` : `${id} was already cancelled`)
  })

const timeOf = (seconds: number): string => new Date(seconds * MS).toISOString()
const PPM = 1e6

const factsOf = ({ subscription, expiresAt, paused, dead, ...rest }: Overview): object => ({
  ...{ id: subscription.id, ...rest, started_at: timeOf(subscription.startedAt), expires_at: timeOf(expiresAt) },
  ...{ kinds: subscription.kinds, min_odds: subscription.minPpm / PPM, target: targetText(subscription) },
  paused: paused && { ...paused, until: timeOf(paused.until / MS), since: timeOf(paused.since / MS) },
  dead,
})

/** `until` may be over: the next request goes out with the next alert. */
const pauseText = ({ until, since, failures, reason }: Pause): string =>
  `paused until ${timeOf(until / MS)}: ${reason}, ${failures} times in a row since ${timeOf(since / MS)}`

const lineOf = ({ subscription, state, expiresAt, delivered, waiting, givenUp, failure, paused, dead }: Overview): string => {
  const { id, kinds, minPpm } = subscription
  const counts = `${delivered} delivered, ${waiting} pending, ${givenUp} given up`
  const reason = paused === null ? (failure ?? dead.at(-1)?.reason ?? '-') : pauseText(paused)
  return [id, state, timeOf(expiresAt), kinds.join(','), String(minPpm / PPM), targetText(subscription), counts, reason]
    .map(plain)
    .join('\t')
}
