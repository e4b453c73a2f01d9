// Declarations and words of events, compared with viem's.
import fc from 'fast-check'
import { toEventSelector } from 'viem'
import { EVENTS } from '../../../../processors/chains/alt/abi.ts'
import { eventOf, readLog } from '../../../../processors/chains/alt/read-log.ts'
import { amountOf } from '../../../../schemas/amount.ts'
import { mustHexKey } from '../../../../schemas/keys.ts'
import { ABI_EVENTS, type Arg, emitted } from './fixtures.ts'

const hex = (latin1: string): string => `0x${Buffer.from(latin1, 'latin1').toString('hex')}`

test("every event has viem's topic for its declaration", () => {
  const ours = [...EVENTS].map(([topic, { name }]) => [name, hex(topic)])
  const theirs = [...ABI_EVENTS.values()].map((event) => [event.name, toEventSelector(event)])
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs))
})

test.each([
  ['TokenLaunched', '0x8d4aad4953d0ca700d468f3753aa14432d1b35b43ec6409f051fb6aa43a89607'],
  ['CurveBuy', '0xec36bf571f136799e8dc0b0b8bea4b04d8bd3d43de838aab0d5fc21d4cbfc455'],
  ['SnipeTaxCharged', '0x3bc39a5562b28f5fe8f36cecabfbaa12bb969acf05717994709225fc412a9934'],
  ['PoolRegistered', '0x01bf263a1db1652580721573296e1a1fa70b3d4c87f61d02a69c4e1109d2d573'],
])('%s has the topic recorded on the chain', (name, topic) => {
  expect([...EVENTS].filter(([, abi]) => abi.name === name).map(([seen]) => hex(seen))).toEqual([topic])
})

const argOf = ({ type }: { readonly type: string }): fc.Arbitrary<Arg> => {
  if (type === 'uint256')
    return fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.bigInt({ min: 0n, max: 2n ** 90n }), fc.bigInt({ min: 0n, max: 9n }))
  const bytes = type === 'address' ? 20 : 32
  return fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => `0x${Buffer.from(value).toString('hex')}`)
}
const readAs = ({ type }: { readonly type: string }, arg: Arg | undefined) => {
  if (typeof arg === 'bigint') return amountOf(arg)
  return type === 'address' ? mustHexKey(String(arg)) : Buffer.from(String(arg).slice(2), 'hex').toString('latin1')
}

test.each([...ABI_EVENTS.values()].map((event) => [event.name, event] as const))('any %s is read back as written', (name, { inputs }) =>
  fc.assert(
    fc.property(fc.tuple(...inputs.map(argOf)), (args) => {
      const log = emitted(name, args)
      const abi = eventOf(log)
      const read = abi && readLog(log, abi)
      if (!read?.ok) throw new Error(read?.reason)
      const { indexed, nonIndexed } = read.value
      const values = inputs.map((input, i) => ({ input, value: readAs(input, args[i]) }))
      expect(indexed).toEqual(values.filter(({ input }) => input.indexed).map(({ value }) => value))
      expect(nonIndexed).toEqual(values.filter(({ input }) => !input.indexed).map(({ value }) => value))
    }),
    { numRuns: 50 },
  ),
)
