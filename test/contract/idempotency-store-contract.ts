// The contract of every idempotency store of payments, whatever database it uses.
import type { Claim, IdempotencyStore, PayerIdentifier, PaymentEntry } from '../../query-api/payment/stores/idempotency-store.ts'

/** Idempotency stores over one shared database, as of several processes: each `open` returns another store. */
export interface OpenBooks {
  open(): Promise<IdempotencyStore>
  close(): Promise<void>
}

const requirements = {
  scheme: 'exact',
  network: 'solana:x',
  asset: 'a',
  amount: '1',
  payTo: 'p',
  maxTimeoutSeconds: 60,
  extra: {},
} as const

export const entryOf = (change: Partial<PaymentEntry> = {}): PaymentEntry => ({
  state: 'running',
  at: Date.now(),
  doneAt: Date.now(),
  request: 'r',
  scope: 's',
  identifier: null,
  path: '/v1/x',
  payer: 'p',
  payload: { x402Version: 2, accepted: requirements, payload: { transaction: 'snow ☃' } },
  requirements,
  answer: { status: 200, type: 'application/json', bodyBase64: 'e30=' },
  receipt: null,
  ...change,
})

/** Of the payer of `entryOf` by default. */
export const identifierOf = (id: string | null, payer = 'p'): PayerIdentifier | null => (id === null ? null : { id, payer })

/** @throws when the claim is refused. */
export const claimOf = async (book: IdempotencyStore, identity: string, id: string | null = null, payer = 'p'): Promise<Claim> => {
  const claimed = await book.claim(identity, identifierOf(id, payer))
  if (claimed.kind !== 'claimed') throw new Error(`${identity} is ${claimed.kind}`)
  return claimed.claim
}

export const paymentBookContract = (name: string, start: () => Promise<OpenBooks>): void => {
  describe(`${name} as an idempotency store`, () => {
    let books: OpenBooks
    let book: IdempotencyStore
    beforeEach(async () => {
      books = await start()
      book = await books.open()
    })
    afterEach(() => books.close())

    test('a first claim has no entry', async () => {
      expect(await book.has('a', null)).toBe(false)
      expect((await claimOf(book, 'a')).entry).toBeUndefined()
    })

    test('a claim excludes others until it is released', async () => {
      const claim = await claimOf(book, 'a')
      expect(await book.claim('a', null)).toEqual({ kind: 'busy' })
      await claimOf(book, 'b')
      await claim.release()
      await claimOf(book, 'a')
    })

    test('the next claim has the entry that was put, and none after it was removed', async () => {
      const entry = entryOf()
      const first = await claimOf(book, 'a')
      expect(await first.put(entry)).toBe('kept')
      await first.release()
      const second = await claimOf(book, 'a')
      expect(second.entry).toEqual(entry)
      const done = { ...entry, state: 'done', answer: null } as const
      expect(await second.put(done)).toBe('kept')
      await second.release()
      const third = await claimOf(book, 'a')
      expect([third.entry, await book.has('a', null)]).toEqual([done, true])
      expect(await third.remove()).toBe('kept')
      await third.release()
      expect([(await claimOf(book, 'a')).entry, await book.has('a', null)]).toEqual([undefined, false])
    })

    test('binds another payment with the same payment-identifier to the first one, also after the first one is done', async () => {
      const first = await claimOf(book, 'a', 'i')
      expect(await book.claim('b', identifierOf('i'))).toEqual({ kind: 'bound', identity: 'a' })
      await first.put(entryOf({ state: 'done', identifier: 'i' }))
      await first.release()
      expect(await book.claim('b', identifierOf('i'))).toEqual({ kind: 'bound', identity: 'a' })
      expect([await book.has('b', identifierOf('i')), await book.has('b', identifierOf('j'))]).toEqual([true, false])
      await claimOf(book, 'b', 'j')
    })

    test('binds an identifier to its payer: a stranger with the same one neither takes it nor gets in its way', async () => {
      const strangers = await claimOf(book, 'x', 'i', 'stranger')
      const payers = await claimOf(book, 'a', 'i')
      await strangers.put(entryOf({ identifier: 'i', payer: 'stranger' }))
      await payers.put(entryOf({ identifier: 'i' }))
      await strangers.release()
      await payers.release()
      expect(await book.claim('b', identifierOf('i'))).toEqual({ kind: 'bound', identity: 'a' })
      expect(await book.claim('y', identifierOf('i', 'stranger'))).toEqual({ kind: 'bound', identity: 'x' })
      expect([await book.has('b', identifierOf('i')), await book.has('b', identifierOf('i', 'third'))]).toEqual([true, false])
      await claimOf(book, 'c', 'i', 'third')
    })

    test('frees the identifier of a payment whose entry was removed', async () => {
      const first = await claimOf(book, 'a', 'i')
      await first.put(entryOf({ identifier: 'i' }))
      await first.remove()
      await first.release()
      await claimOf(book, 'b', 'i')
    })

    test('no copy of a refused payment can be claimed, its entry is removed, and its identifier is free', async () => {
      const first = await claimOf(book, 'a', 'i')
      await first.put(entryOf({ identifier: 'i' }))
      expect(await first.refuse('no money')).toBe('kept')
      await first.release()
      for (const identifier of [null, 'i'])
        expect(await book.claim('a', identifierOf(identifier))).toEqual({ kind: 'refused', reason: 'no money' })
      expect(await book.has('a', null)).toBe(false)
      expect((await claimOf(book, 'b', 'i')).entry).toBeUndefined()
    })

    test('reports a refused payment as busy until its claim is released', async () => {
      const claim = await claimOf(book, 'a')
      await claim.refuse('no money')
      expect(await book.claim('a', null)).toEqual({ kind: 'busy' })
    })

    test('an identifier sent with a payment that was made without one does not identify it', async () => {
      const first = await claimOf(book, 'a')
      await first.put(entryOf({ state: 'done' }))
      await first.release()
      await (await claimOf(book, 'a', 'i')).release()
      await claimOf(book, 'b', 'i')
    })
  })
}
