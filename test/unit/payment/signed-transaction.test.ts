import { createHash, sign } from 'node:crypto'
import bs58 from 'bs58'
import fc from 'fast-check'
import { readPayment } from '../../../query-api/payment/header.ts'
import { isSignatureOf, isSigned, readTransaction } from '../../../query-api/payment/svm/signed-transaction.ts'
import { isPaymentFor } from '../../../query-api/payment/svm/transfer.ts'
import { newKey, type Payment, type PaymentChanges, paymentOf } from '../../tools/svm-payment.ts'

/** Two signatures, header, eight keys. */
const KEYS_END = 1 + 2 * 64 + 5 + 8 * 32
const TERMS = { asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', amount: '5000', payTo: newKey().address }
const feePayer = newKey()
const payer = newKey()
const terms = { ...TERMS, extra: { feePayer: feePayer.address } }
const read = ({ transaction }: Pick<Payment, 'transaction'>) => {
  const found = readTransaction(transaction)
  if (found === undefined) throw new Error('must be readable')
  return found
}
/** The same payment with other bytes. */
const edited = ({ transaction }: Payment, edit: (wire: Buffer) => unknown): Payment['transaction'] => {
  const wire = Buffer.from(transaction, 'base64')
  edit(wire)
  return wire.toString('base64')
}

const flip = (wire: Buffer, at: number): void => void wire.writeUInt8(wire.readUInt8(at) ^ 1, at)

describe('the bytes of a payment', () => {
  test('give fee payer, the owner of the money, and the message as identity', async () => {
    const payment = await paymentOf(terms, payer)
    expect(read(payment)).toMatchObject({
      identity: createHash('sha256').update(payment.message).digest('hex'),
      feePayer: feePayer.address,
      payer: payer.address,
      transfer: { amount: 5_000n, mint: terms.asset, authority: payer.address },
    })
  })

  test('name the owner of the money as payer, whichever others sign', async () => {
    const payment = read(await paymentOf(terms, payer, { others: [newKey(), newKey()] }))
    expect([payment.payer, payment.signers.length]).toEqual([payer.address, 3])
    expect(isSigned(payment)).toBe(true)
  })

  test('keep the identity whatever is in the fee payer slot; any byte of the message changes it', async () => {
    const payment = await paymentOf(terms, payer, { memo: Buffer.of(1, 2, 3) })
    const { identity } = read(payment)
    expect(read({ transaction: edited(payment, (wire) => wire.fill(9, 1, 65)) }).identity).toBe(identity)
    expect(read({ transaction: edited(payment, (wire) => void wire.writeUInt8(4, wire.length - 2)) }).identity).not.toBe(identity)
  })

  test("are named only by the fee payer's signature over this message", async () => {
    const payment = await paymentOf(terms, payer)
    const [transaction, { message }] = [read(payment), payment]
    const own = bs58.encode(sign(null, message, feePayer.privateKey))
    expect(isSignatureOf(own, transaction)).toBe(true)
    expect(isSignatureOf(bs58.encode(sign(null, message, payer.privateKey)), transaction)).toBe(false)
    expect(isSignatureOf(bs58.encode(sign(null, message.subarray(1), feePayer.privateKey)), transaction)).toBe(false)
    for (const wrong of ['', 'x', '0OIl', own.slice(1), '1'.repeat(1000)]) expect(isSignatureOf(wrong, transaction)).toBe(false)
  })

  test('are signed only if every signer but the fee payer has signed these bytes', async () => {
    const payment = await paymentOf(terms, payer, { others: [newKey()] })
    const signed = (edit: (wire: Buffer) => unknown) => isSigned(read({ transaction: edited(payment, edit) }))
    expect(signed((wire) => wire.fill(7, 1, 65))).toBe(true)
    for (const at of [65, 128, 129, 192]) expect(signed((wire) => flip(wire, at))).toBe(false)
    expect(signed((wire) => flip(wire, wire.length - 2))).toBe(false)
    expect(signed((wire) => wire.fill(0, 65, 129))).toBe(false)
  })

  test('are not signed by the owner of the money if somebody else signs for him', async () => {
    const payment = read(await paymentOf(terms, payer, { others: [newKey()], isSigned: false }))
    expect([payment.payer, isSigned(payment)]).toEqual([payer.address, false])
  })

  test('are not signed by another encoding of the signature', async () => {
    const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
    const payment = await paymentOf(terms, payer)
    const transaction = edited(payment, (wire) => {
      const half = wire.subarray(97, 129)
      const next = BigInt(`0x${Buffer.from(half).reverse().toString('hex')}`) + ORDER
      Buffer.from(next.toString(16).padStart(64, '0'), 'hex').reverse().copy(half)
    })
    expect([isSigned(read(payment)), isSigned(read({ transaction }))]).toEqual([true, false])
  })

  test('with two transfers do not tell which one pays', async () => {
    expect(read(await paymentOf(terms, payer, { transfers: 2 })).transfer).toBeUndefined()
  })

  test('truncated within their keys are not a payment', async () => {
    const wire = Buffer.from((await paymentOf(terms, payer)).transaction, 'base64')
    for (let length = 0; length < KEYS_END; length++) expect(readTransaction(wire.subarray(0, length).toString('base64'))).toBeUndefined()
  })

  test('above the packet size are not a payment', async () => {
    expect(readTransaction((await paymentOf(terms, payer, { memo: Buffer.alloc(1232) })).transaction)).toBeUndefined()
  })
})

describe('a transfer pays for a sale', () => {
  const isPaid = async (changes: PaymentChanges, { payTo = terms.payTo, asset = terms.asset } = {}) => {
    const { transfer } = read(await paymentOf({ ...terms, asset, payTo }, payer, changes))
    return transfer !== undefined && isPaymentFor(transfer, terms)
  }

  test('by its exact amount, currency and recipient, and only out of the own token account of its authority', async () => {
    expect(await isPaid({})).toBe(true)
    expect(await isPaid({ amount: 4_999n })).toBe(false)
    expect(await isPaid({}, { payTo: newKey().address })).toBe(false)
    expect(await isPaid({}, { asset: newKey().address })).toBe(false)
    expect(await isPaid({ owner: newKey().address })).toBe(false)
  })
})

describe('arbitrary input', () => {
  test('never throws, neither as bytes nor as headers', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readTransaction(Buffer.from(bytes).toString('base64'))))
    fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => typeof readPayment(text) === 'string'))
    fc.assert(fc.property(fc.json(), (json) => typeof readPayment(Buffer.from(json).toString('base64')) === 'string'))
  })
})
