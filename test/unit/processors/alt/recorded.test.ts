// Decodes recorded transactions of the alt chain to the tape, and compares them with known figures.
import { altTapeRecordCodec } from '../../../../schemas/codecs.ts'
import { HEX_KEYS, keyText, mustHexKey, signatureText } from '../../../../schemas/keys.ts'
import { printFields } from '../../../../schemas/print.ts'
import { AXIOM, Decoding, frame, framesOf, LAUNCH_ROUTER, launchLog, openJson, readJson, rpcLog, transaction } from './fixtures.ts'

const decoded = (...names: Parameters<typeof readJson>[0][]): Decoding =>
  new Decoding().add(...framesOf(...names.map((name) => openJson(readJson(name)))))
const typesOf = ({ events }: Decoding): string[] => events.map(({ type }) => type)

describe('the launch with a buy', () => {
  const launched = decoded('launch', 'taxedBuy')
  const [launch] = launched.of('launch')
  const [first, taxed] = launched.of('trade')

  test("gives the launch with the values of its transaction's earlier and later logs", () => {
    expect(launched.letters).toEqual([])
    expect(typesOf(launched)).toEqual(['launch', 'tokenTransfer', 'trade', 'tokenTransfer', 'trade'])
    expect(launch).toMatchObject({
      ...{ tx: 11, outer: 81, route: 'pons_launchbuy', quoteMint: null, quoteDecimals: 18, quoteDecimalsReason: null },
      ...{ configId: 0, thresholdUnits: 4_200_000_000_000_000_000n, virtualQuoteUnits: 1_680_000_000_000_000_000n },
      supplyUnits: 10n ** 27n,
    })
    const deployer = '0x3f927788D627D3561ff59bBfeF67EbCbF0fB10a9'
    const { creator, launcher, txFrom, txTo, mint, bondingCurve, exempt = [], signature } = launch ?? {}
    expect([creator, launcher, txFrom].map((key) => key && keyText(key))).toEqual([deployer, deployer, deployer])
    expect([mint, bondingCurve, txTo]).toEqual(
      ['0x22fd486d80b7cce7362ffed59bbf2fd266a148fa', '0xddf3afb29e265b00c48015c3aacdedcb10088fcf', LAUNCH_ROUTER].map(mustHexKey),
    )
    expect(exempt.map((key) => HEX_KEYS.print(key).slice(0, 8).toLowerCase())).toEqual(['0x3f9277', '0x7f5cf8', '0x92f4e7', '0x0e7502'])
    expect(signature && signatureText(signature)).toBe('0x1013a302930cfbc10d55c2fec9cd9e93670f516933ea6a907081ee928cfcf8b7')
  })

  test("gives the launcher's buy through the launch router", () => {
    expect(first).toMatchObject({
      ...{ isBuy: true, route: 'pons_launchbuy', walletBy: 'recipient', wallet: launch?.creator, user: mustHexKey(LAUNCH_ROUTER) },
      ...{ tokenUnits: 28_340_080_971_659_919_028_340_080n, userQuoteUnits: 50_000_000_000_000_000n, quoteUnits: 49_000_000_000_000_000n },
      ...{ feeUnits: 500_000_000_000_000, creatorFeeUnits: 500_000_000_000_000, snipeTaxUnits: 0 },
    })
  })

  test('gives the taxed buy with 19 bps of snipe tax as part of its fee', () => {
    expect(taxed).toMatchObject({
      isBuy: true,
      route: 'direct',
      walletBy: 'direct',
      wallet: mustHexKey('0xecd309f4154682bbcb073aea161a554d60012b56'),
    })
    const { userQuoteUnits = 0, snipeTaxUnits = 0, feeUnits = 0 } = taxed ?? {}
    expect((BigInt(userQuoteUnits) * 19n) / 10_000n).toBe(BigInt(snipeTaxUnits))
    expect(BigInt(feeUnits) - BigInt(snipeTaxUnits)).toBe(BigInt(userQuoteUnits) / 100n)
    expect(snipeTaxUnits).toBe(72_156_075_574_116)
  })
})

test('a launch transaction without a buy gives the launch alone', () => {
  const launched = decoded('cleanLaunch')
  expect(typesOf(launched)).toEqual(['launch'])
  const [launch] = launched.of('launch')
  expect(launch).toMatchObject({ route: 'direct', launcher: null, supplyUnits: 10n ** 27n, exempt: [launch?.creator] })
})

describe('the buy that fills a curve', () => {
  const curve = '0x008089e243a611ace236fc4e2127403a3c9e347b'
  const token = '0x63ae1e0f1a756ec4947f3f06efb09c588984ed88'
  // The launch precedes the recording: announced here by a synthetic log.
  const announced = openJson([rpcLog(62_263_000, transaction(0, []), launchLog(0, token, curve))])
  const filled = new Decoding().add(...framesOf(announced, openJson(readJson('graduation'))))

  test('gives refund, trade, fees, completion and the sweep within it', () => {
    expect(filled.letters).toEqual([])
    expect(typesOf(filled)).toEqual([
      'launch',
      'tokenTransfer',
      'refund',
      'trade',
      'feesSwept',
      'tokenTransfer',
      'complete',
      'tokenTransfer',
    ])
    expect(filled.of('refund')).toMatchObject([{ quoteUnits: 1_814_426_453_441_572, user: mustHexKey(AXIOM) }])
    expect(filled.of('complete')).toMatchObject([
      {
        ...{ quoteUnits: 4_200_000_000_000_000_263n, tokenUnits: 285_714_285_714_285_714_285_714_285n },
        ...{ sweptQuoteUnits: 4_200_000_000_000_000_263n, sweptTokenUnits: 285_714_285_714_285_714_285_714_285n },
      },
    ])
    expect(filled.of('feesSwept')).toMatchObject([
      { protocolUnits: 887_448_334_810_887, buybackUnits: 0, creatorUnits: 7_987_035_013_297_990 },
    ])
  })

  test('finds the wallet behind the router by the token transfer to the wallet', () => {
    const wallet = mustHexKey('0xe4c6b76911f1eab045dfb4e68fa6861e942da4db')
    expect(filled.of('trade')).toMatchObject([{ route: 'axiom', user: mustHexKey(AXIOM), wallet, walletBy: 'transfer' }])
  })
})

describe('the recorded curve', () => {
  const recorded = readJson('curve')
  const curve: string = recorded.result[0].address
  const first = Number(recorded.result[0].blockNumber)
  const launch = frame(first - 1, transaction(0, [launchLog(0, '0x1111111111111111111111111111111111111111', curve)]))
  const traded = new Decoding().add(launch, ...framesOf(openJson(recorded)))
  const sum = (values: readonly (number | bigint)[]): bigint => values.reduce<bigint>((all, value) => all + BigInt(value), 0n)

  test('has the reserves of the chain to the wei', () => {
    const trades = traded.of('trade')
    const [buys, sells] = [trades.filter(({ isBuy }) => isBuy), trades.filter(({ isBuy }) => !isBuy)]
    expect([buys.length, sells.length, traded.of('feesSwept').length, traded.letters.length]).toEqual([22, 8, 1, 0])
    const realQuote = sum(buys.map(({ quoteUnits }) => quoteUnits)) - sum(sells.map(({ quoteUnits }) => quoteUnits))
    const tokens = 10n ** 27n - sum(buys.map(({ tokenUnits }) => tokenUnits)) + sum(sells.map(({ tokenUnits }) => tokenUnits))
    expect([realQuote, tokens]).toEqual([1_001_227_946_752_784_009n, 626_578_580_174_295_135_537_342_258n])
  })

  test('has its trades by route, without a wallet for those of terminals: the recording has neither transactions nor transfers', () => {
    const routes = traded.of('trade').map(({ isBuy, route, walletBy }) => `${isBuy ? 'buy' : 'sell'} ${route} ${walletBy}`)
    const counts = Object.fromEntries([...new Set(routes)].map((name) => [name, routes.filter((other) => other === name).length]))
    expect(counts).toEqual({
      ...{ 'buy pons_launchbuy recipient': 1, 'buy direct direct': 18, 'buy gmgn null': 3 },
      ...{ 'sell direct direct': 5, 'sell gmgn null': 2, 'sell other null': 1 },
    })
  })
})

test('every event survives a round trip through the bytes of the tape, and prints in the formats of the chain', () => {
  const events = [...decoded('launch', 'taxedBuy', 'cleanLaunch').events, ...decoded('graduation').events]
  const header = { chain: 'alt' as const, number: 1, hash8: 'abcdef01', sequence: 1, time: 7, gapFrom: null, gapTo: null }
  const flags = { vouched: false, final: false, placed: true, launchpadTransactions: 1, launchpadFailed: null }
  const read = altTapeRecordCodec.decode(altTapeRecordCodec.encode({ type: 'batch', ...header, ...flags, events }))
  expect(read.ok && read.value.type === 'batch' ? structuredClone(read.value.events.map((event) => ({ ...event }))) : read).toEqual(events)
  const [clean, launch = {}] = events.filter(({ type }) => type === 'launch').map((event) => printFields(event))
  expect(clean).toMatchObject({ route: 'direct', exempt: ['0x139F144B5187Df68A1580aC614dA02f0A04233A7'] })
  expect(launch).toMatchObject({
    signature: '0x1013a302930cfbc10d55c2fec9cd9e93670f516933ea6a907081ee928cfcf8b7',
    mint: '0x22fd486D80b7cCE7362fFEd59BBf2Fd266a148fA',
    thresholdUnits: '4200000000000000000',
  })
  expect(launch.exempt).toContain('0x3f927788D627D3561ff59bBfeF67EbCbF0fB10a9')
})
