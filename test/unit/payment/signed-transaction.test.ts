import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import bs58 from 'bs58'
import fc from 'fast-check'
import { readPayment } from '../../../query-api/payment/header.ts'
import { isSignatureOf, readTransaction } from '../../../query-api/payment/svm/signed-transaction.ts'

const keyPair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { privateKey, publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url') }
}

/** A transaction with two signers and some bytes after its keys; version 0 by default. */
const transactionOf = (feePayer: Buffer, payer: Buffer, isLegacy = false, rest = Buffer.from([1, 2, 3])) => {
  const message = Buffer.concat([Buffer.from(isLegacy ? [] : [0x80]), Buffer.from([2, 0, 1, 2]), feePayer, payer, rest])
  const wire = (feePayerSignature: Buffer): string =>
    Buffer.concat([Buffer.from([2]), feePayerSignature, Buffer.alloc(64, 5), message]).toString('base64')
  return { message, wire }
}

describe('the bytes of a payment', () => {
  const feePayer = keyPair()
  const payer = keyPair()

  test.each([[false], [true]])('give fee payer and payer, and the message as identity (legacy: %s)', (isLegacy) => {
    const { message, wire } = transactionOf(feePayer.publicKey, payer.publicKey, isLegacy)
    expect(readTransaction(wire(Buffer.alloc(64)))).toMatchObject({
      identity: createHash('sha256').update(message).digest('hex'),
      feePayer: bs58.encode(feePayer.publicKey),
      payer: bs58.encode(payer.publicKey),
    })
  })

  test('keep the identity whatever is in the fee payer slot; any byte of the message changes it', () => {
    const { wire } = transactionOf(feePayer.publicKey, payer.publicKey)
    const plain = readTransaction(wire(Buffer.alloc(64)))
    expect(readTransaction(wire(Buffer.alloc(64, 9)))?.identity).toBe(plain?.identity)
    const other = transactionOf(feePayer.publicKey, payer.publicKey, false, Buffer.from([1, 2, 4]))
    expect(readTransaction(other.wire(Buffer.alloc(64)))?.identity).not.toBe(plain?.identity)
  })

  test("are named only by the fee payer's signature over this message", () => {
    const { message, wire } = transactionOf(feePayer.publicKey, payer.publicKey)
    const transaction = readTransaction(wire(Buffer.alloc(64)))
    if (transaction === undefined) throw new Error('must be readable')
    const own = bs58.encode(sign(null, message, feePayer.privateKey))
    expect(isSignatureOf(own, transaction)).toBe(true)
    expect(isSignatureOf(bs58.encode(sign(null, message, payer.privateKey)), transaction)).toBe(false)
    expect(isSignatureOf(bs58.encode(sign(null, message.subarray(1), feePayer.privateKey)), transaction)).toBe(false)
    for (const wrong of ['', 'x', '0OIl', own.slice(1), '1'.repeat(1000)]) expect(isSignatureOf(wrong, transaction)).toBe(false)
  })

  test('truncated at or before the keys are not a payment', () => {
    const wire = Buffer.from(transactionOf(feePayer.publicKey, payer.publicKey).wire(Buffer.alloc(64)), 'base64')
    for (let length = 0; length < wire.length - 3; length++)
      expect(readTransaction(wire.subarray(0, length).toString('base64'))).toBeUndefined()
  })

  test('above the packet size are not a payment', () => {
    const { wire } = transactionOf(feePayer.publicKey, payer.publicKey, false, Buffer.alloc(1232))
    expect(readTransaction(wire(Buffer.alloc(64)))).toBeUndefined()
  })
})

describe('arbitrary input', () => {
  test('never throws, neither as bytes nor as headers', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readTransaction(Buffer.from(bytes).toString('base64'))))
    fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => typeof readPayment(text) === 'string'))
    fc.assert(fc.property(fc.json(), (json) => typeof readPayment(Buffer.from(json).toString('base64')) === 'string'))
  })
})
