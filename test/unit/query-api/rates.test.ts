import { Rates, type RatesOptions } from '../../../query-api/http/rates.ts'

const given = (changes: Partial<RatesOptions> = {}) => {
  const notices: string[] = []
  const rates = new Rates({ perMinute: 3, paidPerMinute: 2, notice: (code) => void notices.push(code), ...changes })
  const askedBy = async (caller: string, times: number): Promise<number[]> => {
    const waits: number[] = []
    for (let n = 0; n < times; n++) waits.push(await rates.caller(caller))
    return waits
  }
  return { rates, notices, askedBy }
}

test('at three a minute the fourth request waits for the rest of the minute, and other callers do not', async () => {
  const { askedBy } = given()
  const [first, second, third, fourth = 0] = await askedBy('192.0.2.1', 4)
  expect([first, second, third]).toEqual([0, 0, 0])
  expect(fourth).toBeGreaterThan(50)
  expect(fourth).toBeLessThanOrEqual(60)
  expect(await askedBy('192.0.2.2', 1)).toEqual([0])
})

test('callers and payers are counted separately, and an IPv6 network is one caller', async () => {
  const { rates } = given()
  expect(await Promise.all([rates.payer('a'), rates.payer('a')])).toEqual([0, 0])
  expect(await rates.payer('a')).toBeGreaterThan(0)
  for (let host = 1; host <= 3; host++) expect(await rates.caller(`2001:db8:0:1:0:0:0:${host}`)).toBe(0)
  expect(await rates.caller('2001:db8:0:1:0:0:0:9')).toBeGreaterThan(0)
})

describe('a customer with a /48', () => {
  const hostOf = (network: string, host = 1) => `2001:db8:${network}:0:0:0:${host}`
  test('has four times the requests of a /64 from all of its /64s together, whichever it uses; another /48 goes on', async () => {
    const { rates } = given()
    const waits: number[] = []
    for (let n = 0; n < 256; n++) waits.push(await rates.caller(hostOf(`1:${n.toString(16)}`)))
    expect(waits.filter((waitS) => waitS === 0)).toHaveLength(4 * 3)
    expect(await rates.caller(hostOf('2:0'))).toBe(0)
  })
  test('retries are counted so too', async () => {
    const { rates } = given({ retriesPerMinute: 2 })
    const waits: number[] = []
    for (let n = 0; n < 20; n++) waits.push(await rates.retry(hostOf(`1:${n.toString(16)}`)))
    expect(waits.filter((waitS) => waitS === 0)).toHaveLength(4 * 2)
  })
  test('requests that one /64 is refused do not use up the limit of its neighbours', async () => {
    const { rates } = given()
    for (let n = 0; n < 100; n++) await rates.caller(hostOf('1:a'))
    for (let n = 0; n < 3; n++) expect(await rates.caller(hostOf('1:b'))).toBe(0)
  })
})

test('a host gets one challenge a minute, and hosts are counted separately', async () => {
  const { rates } = given()
  expect([await rates.challenge('a.example'), await rates.challenge('b.example')]).toEqual([0, 0])
  expect(await rates.challenge('a.example')).toBeGreaterThan(50)
})

test('payments that only the facilitator can verify are limited to ten a minute and address, apart from its requests', async () => {
  const { rates, askedBy } = given()
  for (let nth = 0; nth < 10; nth++) expect(await rates.unverifiable('192.0.2.1')).toBe(0)
  expect(await rates.unverifiable('192.0.2.1')).toBeGreaterThan(0)
  expect(await rates.unverifiable('192.0.2.2')).toBe(0)
  expect(await askedBy('192.0.2.1', 1)).toEqual([0])
})

test('beyond the limit of separate counters, new callers share counters, and memory is bounded', async () => {
  const { rates, askedBy } = given({ perMinute: 1 })
  for (let n = 0; n < 100_000; n++) await rates.caller(`known-${n}`)
  expect((await askedBy('known-7', 1))[0]).toBeGreaterThan(0)
  let shared = 0
  for (let n = 0; n < 3_000; n++) shared += Number((await rates.caller(`new-${n}`)) > 0)
  expect(shared).toBeGreaterThanOrEqual(3_000 - 1_024)
})

describe('a store shared by processes', () => {
  /** Counts by key as a script in Redis would; `mode` sets its behaviour. */
  const store = () => {
    const counts = new Map<string, number>()
    const state = { isReady: true, mode: 'answers' as 'answers' | 'fails' | 'hangs', asked: 0 }
    return {
      state,
      get isReady() {
        return state.isReady
      },
      eval: (_script: string, { keys: [key = ''] }: { keys: string[] }): Promise<[number, number]> => {
        state.asked += 1
        if (state.mode === 'hangs') return new Promise(() => {})
        if (state.mode === 'fails') return Promise.reject(new Error('gone'))
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        return Promise.resolve([count, 30_000])
      },
    }
  }
  test('counts for two processes together', async () => {
    const redis = store()
    const [one, other] = [given({ redis }), given({ redis })]
    expect(await one.askedBy('192.0.2.1', 2)).toEqual([0, 0])
    expect(await other.askedBy('192.0.2.1', 2)).toEqual([0, 30])
    expect(one.rates.place).toBe('redis')
  })
  test.each(['fails', 'hangs'] as const)('that %s makes each process count alone, report it once, and retry later', async (mode) => {
    const redis = store()
    const time = { ms: 0 }
    const { rates, notices, askedBy } = given({ redis, now: () => time.ms })
    redis.state.mode = mode
    const waits = await askedBy('192.0.2.1', 4)
    expect(waits.slice(0, 3)).toEqual([0, 0, 0])
    expect(waits[3]).toBeGreaterThan(0)
    expect([rates.isAlone, rates.place, notices, redis.state.asked]).toEqual([true, 'memory', ['limits_in_memory'], 1])
    redis.state.mode = 'answers'
    time.ms = 2_000
    expect(await askedBy('192.0.2.1', 1)).toEqual([0])
    expect([rates.isAlone, notices]).toEqual([false, ['limits_in_memory', 'limits_shared_again']])
  })
  test('is not called without a connection', async () => {
    const redis = store()
    redis.state.isReady = false
    const { rates, askedBy } = given({ redis })
    expect(await askedBy('192.0.2.1', 1)).toEqual([0])
    expect([rates.isAlone, redis.state.asked]).toEqual([true, 0])
  })
})
