// Events count if a factory of the launchpad announced their curve or token, and while these are in use.
import fc from 'fast-check'
import { FORGOTTEN_AFTER_S } from '../../../../processors/chains/alt/contracts.ts'
import { HEX_KEYS } from '../../../../schemas/keys.ts'
import type { RawFrame } from '../../../../schemas/types.ts'
import {
  address,
  CURVE,
  DEPLOYER,
  Decoding,
  FACTORY,
  frame,
  keyAt,
  launchFrame,
  launchLog,
  log,
  THRESHOLD,
  TIME,
  TOKEN,
  transaction,
  WALLET,
  ZERO_ADDRESS,
} from './fixtures.ts'

const CLONE = address(0x99)
const typesOf = ({ events }: Decoding): string[] => events.map(({ type }) => type)
const buy = (index: number, curve = CURVE) => log(index, curve, 'CurveBuy', WALLET, WALLET, 100n, 1_000n, 1n, 1n)
const move = (index: number, token = TOKEN) => log(index, token, 'Transfer', CURVE, WALLET, 1_000n)
const at = (time: number, made: RawFrame): RawFrame => ({ ...made, blockTime: time })
const known = ({ engine }: Decoding): string[] => engine.rows('alt', 'contracts').map((row) => HEX_KEYS.print(row.address))

test('events of curves and tokens that no factory announced are dropped silently', () => {
  const strangers = transaction(3, [
    ...[buy(1, CLONE), move(2, CLONE)],
    log(3, CLONE, 'CurveCompleted', CLONE, 1n, 1n),
    log(4, CLONE, 'TokenLaunched', address(0x91), CLONE, DEPLOYER, ZERO_ADDRESS, 0n, THRESHOLD),
    log(5, CLONE, 'PoolGraduated', TOKEN, 1n, 1n, 1n),
    { ...buy(6, CLONE), data: Buffer.alloc(3) },
  ])
  const { events, letters } = new Decoding().add(launchFrame(), frame(2, strangers))
  expect([events.length, letters.length]).toEqual([1, 0])
})

test('curve events of a token and transfers of a curve are dropped', () => {
  const decoding = new Decoding().add(launchFrame(), frame(2, transaction(3, [buy(1, TOKEN), move(2, CURVE)])))
  expect(typesOf(decoding)).toEqual(['launch'])
})

test("events of a curve before its factory's belong to the launch", () => {
  const tx = transaction(
    0,
    [
      log(1, TOKEN, 'Transfer', ZERO_ADDRESS, CURVE, 10n ** 27n),
      log(2, CURVE, 'Initialized', TOKEN),
      log(3, CURVE, 'SnipeTaxExempted', DEPLOYER),
      launchLog(4),
      log(5, CURVE, 'SnipeTaxExempted', WALLET),
      log(6, CURVE, 'SnipeTaxExempted', DEPLOYER),
    ],
    FACTORY,
  )
  const decoding = new Decoding().add(frame(1, tx))
  expect(decoding.events).toMatchObject([{ type: 'launch', outer: 4, supplyUnits: 10n ** 27n, exempt: [keyAt(0x30), keyAt(0x40)] }])
})

test('an exemption after the launch is a separate event', () => {
  const decoding = new Decoding().add(launchFrame(), frame(2, transaction(1, [log(3, CURVE, 'SnipeTaxExempted', WALLET)])))
  expect(decoding.of('snipeExemption')).toMatchObject([{ account: keyAt(0x40), mint: keyAt(0x10) }])
})

test('no event of curves created and traded in one block is missed', () => {
  const curves = Array.from(
    { length: 100 },
    (_, i) => [`0x${(i + 1).toString(16).padStart(40, 'a')}`, `0x${(i + 1).toString(16).padStart(40, 'c')}`] as const,
  )
  const transactions = curves.map(([token, curve], i) =>
    transaction(i, [move(3 * i, token), launchLog(3 * i + 1, token, curve), buy(3 * i + 2, curve)]),
  )
  const decoding = new Decoding().add(frame(1, ...transactions))
  expect([decoding.of('launch').length, decoding.of('trade').length, decoding.of('tokenTransfer').length, known(decoding).length]).toEqual([
    100, 100, 100, 200,
  ])
})

test('with two buys in a transaction, the snipe tax applies to the buy that follows it', () => {
  const tx = transaction(1, [
    ...[log(1, CURVE, 'SnipeTaxCharged', WALLET, 7n), log(2, CURVE, 'CurveBuy', WALLET, WALLET, 1_000n, 10n, 17n, 0n)],
    log(3, CURVE, 'CurveBuy', WALLET, WALLET, 1_000n, 10n, 10n, 0n),
  ])
  const decoding = new Decoding().add(launchFrame(), frame(2, tx))
  expect(decoding.of('trade').map(({ snipeTaxUnits, quoteUnits }) => [snipeTaxUnits, quoteUnits])).toEqual([
    [7, 983],
    [0, 990],
  ])
})

describe('rare events', () => {
  const rare = (...logs: readonly ReturnType<typeof log>[]) =>
    new Decoding().add(launchFrame(), frame(2, transaction(1, logs))).events.slice(1)

  test('buybacks, failures and sweeps have their amounts', () => {
    expect(
      rare(
        log(1, CURVE, 'BuybackLocked', 5n, 6n),
        log(2, CURVE, 'AutoGraduationFailed', TOKEN, 9n),
        log(3, FACTORY, 'LaunchSwept', TOKEN, 7n, 8n),
        log(4, FACTORY, 'LaunchForceSwept', TOKEN),
      ),
    ).toMatchObject([
      { type: 'buyback', quoteUnits: 5, tokenUnits: 6, quoteMint: null },
      { type: 'graduationFailed', gasRemaining: 9 },
      { type: 'sweep', isForced: false, quoteUnits: 7, tokenUnits: 8, bondingCurve: keyAt(0x20) },
      { type: 'sweep', isForced: true, quoteUnits: null, tokenUnits: null },
    ])
  })
  test("rescues have the event's name, recipients and amounts", () => {
    expect(
      rare(
        log(1, FACTORY, 'GraduationTokensPermanentlyLocked', TOKEN, 3n),
        log(2, FACTORY, 'LaunchGraduationRescued', TOKEN, WALLET, 4n, 5n),
        log(3, CURVE, 'FeesRescued', DEPLOYER, WALLET, 6n, 7n),
      ),
    ).toMatchObject([
      { type: 'rescue', kind: 'GraduationTokensPermanentlyLocked', recipient: null, tokenUnits: 3, quoteUnits: 0 },
      { type: 'rescue', kind: 'LaunchGraduationRescued', recipient: keyAt(0x40), tokenUnits: 5, quoteUnits: 4 },
      { type: 'rescue', kind: 'FeesRescued', recipient: keyAt(0x30), creatorRecipient: keyAt(0x40), quoteUnits: 6, creatorUnits: 7 },
    ])
  })
  test('a graduation has the pool registered by the hook, also for a token without a known launch', () => {
    const hook = '0xE5e702641Ea86F4ae6cC3cDaeD2B886f976Be044'
    const poolId = '0x20a88a40b7904a101f12d2d03b0438a95f8c4d2f87c0af40bedcf7674bae6cc7'
    const unknown = address(0x61)
    const graduated = (token: string) =>
      rare(
        log(1, hook, 'PoolRegistered', poolId, token, ZERO_ADDRESS, DEPLOYER),
        log(2, FACTORY, 'PoolGraduated', token, 2_669_708n, 204_081_632_653_061_225_780_924_614n, 4_200_000_000_000_000_093n),
      )
    const figures = { type: 'migrate', positionId: 2_669_708, poolId, quoteUnits: 4_200_000_000_000_000_093n }
    expect(graduated(TOKEN)).toMatchObject([{ ...figures, mint: keyAt(0x10), bondingCurve: keyAt(0x20) }])
    expect(graduated(unknown)).toMatchObject([{ ...figures, mint: keyAt(0x61), bondingCurve: null }])
  })
})

describe('an unused curve', () => {
  const quiet = (number: number, time: number): RawFrame => at(time, frame(number))
  const hours = (count: number): number => TIME + count * 3_600

  test('is forgotten after a day, with its token', () => {
    const decoding = new Decoding().add(launchFrame(), quiet(2, TIME + FORGOTTEN_AFTER_S))
    expect(known(decoding)).toEqual([TOKEN, CURVE])
    decoding.add(quiet(3, hours(25) + 1))
    expect(known(decoding)).toEqual([])
    decoding.add(frame(4, transaction(1, [buy(1), move(2)])))
    expect(typesOf(decoding)).toEqual(['launch'])
  })

  test('is kept by trades, but not by transfers alone', () => {
    const tradedAt = (number: number, time: number) => at(time, frame(number, transaction(1, [buy(1)])))
    const movedAt = (number: number, time: number) => at(time, frame(number, transaction(1, [move(1)])))
    const traded = new Decoding().add(launchFrame(), tradedAt(2, hours(23)), quiet(3, hours(25) + 1), tradedAt(4, hours(26)))
    expect(typesOf(traded)).toEqual(['launch', 'trade', 'trade'])
    const moved = new Decoding().add(launchFrame(), movedAt(2, hours(23)), quiet(3, hours(25) + 1), movedAt(4, hours(26)))
    expect(typesOf(moved)).toEqual(['launch', 'tokenTransfer'])
  })

  test('writes its row at most once an hour', () => {
    const decoding = new Decoding().add(launchFrame(), at(TIME + 3_599, frame(2, transaction(1, [buy(1)]))))
    const seenAt = () => decoding.engine.rows('alt', 'contracts').map((row) => row.seenAt)
    expect(seenAt()).toEqual([TIME, 0])
    decoding.add(at(TIME + 3_600, frame(3, transaction(1, [buy(1)]))))
    expect(seenAt()).toEqual([TIME + 3_600, 0])
  })

  test('is forgotten within two days, whatever other curves do', () => {
    const pair = (n: number) => [`0x${n.toString(16).padStart(40, 'a')}`, `0x${n.toString(16).padStart(40, 'c')}`] as const
    const launch = (n: number) => at(hours(n / 10), frame(n + 1, transaction(0, [launchLog(0, ...pair(n))])))
    const trade = (n: number, time: number, number: number) => at(time, frame(number, transaction(0, [buy(0, pair(n)[1])])))
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 19 }), fc.integer({ min: 2, max: 30 })), { maxLength: 60 }), (trades) => {
        const decoding = new Decoding().add(...Array.from({ length: 20 }, (_, n) => launch(n)))
        // Hours of the newest event that certainly counts, and of the newest that may: rows have hourly precision.
        const sure = Array.from({ length: 20 }, (_, n) => n / 10)
        const maybe = [...sure]
        let number = 100
        for (let hour = 2; hour <= 80; hour++) {
          decoding.add(quiet(number++, hours(hour)))
          for (const [n] of trades.filter(([, at]) => at === hour)) {
            decoding.add(trade(n, hours(hour), number++))
            if (hour - (sure[n] ?? 0) <= 23) sure[n] = hour
            if (hour - (maybe[n] ?? 0) <= 48) maybe[n] = hour
          }
          const tokens = new Set(decoding.engine.rows('alt', 'contracts').map(({ mint }) => HEX_KEYS.print(mint).toLowerCase()))
          for (const [n, newest] of sure.entries()) if (hour - newest <= 23) expect(tokens).toContain(pair(n)[0])
          for (const [n, newest] of maybe.entries()) if (hour - newest > 48) expect(tokens).not.toContain(pair(n)[0])
        }
        decoding.add(quiet(900, hours(200)), quiet(901, hours(200)))
        expect(decoding.engine.rows('alt', 'contracts')).toEqual([])
        expect(decoding.engine.rows('alt', 'queue')).toEqual([{ oldest: null, newest: null }])
      }),
      { numRuns: 10 },
    )
  })
})
