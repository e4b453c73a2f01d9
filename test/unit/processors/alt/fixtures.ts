// Chain bytes and synthetic logs shared by the tests of this folder. Sources of the files: test/data/alt/README.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { alt } from '../../../../processors/chains/alt/chain.ts'
import { type AltFile, parseFile } from '../../../../processors/chains/alt/chain-file.ts'
import type { AltDecodeRows } from '../../../../processors/chains/alt/contracts.ts'
import { toFrame } from '../../../../processors/chains/alt/frame.ts'
import type { DecodeOutput } from '../../../../processors/chains/decoder.ts'
import type { FrameHeader, Processor } from '../../../../processors/contract.ts'
import { HEX_KEYS, type Key, mustHexKey, type Signature } from '../../../../schemas/keys.ts'
import { hash8Of, TILDE } from '../../../../schemas/position.ts'
import type { AltLog, AltTapeEvent, AltTransaction, DeadLetter, RawFrame } from '../../../../schemas/types.ts'
import { NaiveEngine } from '../../../naive-context.ts'

const DATA = join(process.cwd(), 'test/data/alt')

export const FILES = {
  launch: 'pons-v2-launch-receipt-0x1013a302',
  taxedBuy: 'pons-v2-taxed-buy-receipt-0xe9dc8980',
  cleanLaunch: 'pons-v2-clean-launch-receipt-0x2a43738c',
  graduation: 'pons-v2-graduation-receipt-0x7352d0f7',
  curve: 'pons-v2-curve-0x36f815a2-getlogs',
} as const

export const readText = (name: keyof typeof FILES): string => gunzipSync(readFileSync(join(DATA, `${FILES[name]}.json.gz`))).toString()
export const readJson = (name: keyof typeof FILES) => JSON.parse(readText(name))

export const parse = (bytes: Buffer): AltFile => {
  const parsed = parseFile(bytes, 'made')
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}
export const openJson = (json: unknown): AltFile => parse(Buffer.from(JSON.stringify(json)))

export const framesOf = (...files: readonly AltFile[]): RawFrame[] => {
  const made = alt.files.frames(
    files.flatMap(({ blocks }) => blocks),
    false,
  )
  if (!made.ok) throw new Error(made.reason)
  return made.value.frames
}

type PlacedFrame = RawFrame & { readonly tx: number; readonly outer: number; readonly inner: number }
type OnFrames = Processor<AltDecodeRows, PlacedFrame, DecodeOutput<AltTapeEvent>, FrameHeader>

const headerOf = (frame: RawFrame): FrameHeader => ({
  ...{ chain: 'alt', number: frame.number, hash8: hash8Of(frame.hash) },
  ...{ sequence: frame.number, time: frame.blockTime ?? 0, final: true },
})

/** Decodes frames in order, with the state that each leaves for the next. */
export class Decoding {
  readonly engine = new NaiveEngine<AltDecodeRows, PlacedFrame, DecodeOutput<AltTapeEvent>, FrameHeader>(alt.decoder.processor as OnFrames)

  add(...frames: readonly RawFrame[]): this {
    for (const frame of frames) this.engine.frame(headerOf(frame), [{ ...frame, tx: TILDE, outer: TILDE, inner: TILDE }])
    return this
  }
  get events(): AltTapeEvent[] {
    return this.engine.outputs.flatMap(({ output }) => (output.type === 'event' ? [output.event] : []))
  }
  get letters(): DeadLetter[] {
    return this.engine.outputs.flatMap(({ output }) => (output.type === 'dead' ? [output.deadLetter] : []))
  }
  of<Type extends AltTapeEvent['type']>(type: Type): Extract<AltTapeEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<AltTapeEvent, { type: Type }> => event.type === type)
  }
}

/** Declared again here, so the tests do not depend on the code under test. */
const ABI = parseAbi([
  'event TokenLaunched(address indexed token, address indexed curve, address indexed deployer, address pairToken, uint256 launchConfigId, uint256 graduationThreshold)',
  'event LaunchSwept(address indexed token, uint256 quoteOut, uint256 tokenOut)',
  'event LaunchForceSwept(address indexed token)',
  'event PoolGraduated(address indexed token, uint256 positionId, uint256 tokenAmount, uint256 pairTokenAmount)',
  'event GraduationTokensPermanentlyLocked(address indexed token, uint256 amount)',
  'event LaunchGraduationRescued(address indexed token, address indexed recipient, uint256 quoteAmount, uint256 tokenAmount)',
  'event CurveBuy(address indexed buyer, address indexed recipient, uint256 quoteIn, uint256 tokensOut, uint256 fee, uint256 tax)',
  'event CurveSell(address indexed seller, address indexed recipient, uint256 tokensIn, uint256 quoteOut, uint256 fee, uint256 tax)',
  'event SnipeTaxCharged(address indexed recipient, uint256 amount)',
  'event SnipeTaxExempted(address indexed account)',
  'event CurveBuyRefunded(address indexed buyer, uint256 refund)',
  'event CurveCompleted(address recipient, uint256 quoteOut, uint256 tokenOut)',
  'event FeesSwept(uint256 protocolAmount, uint256 buybackAmount, uint256 creatorAmount)',
  'event BuybackLocked(uint256 quoteSpent, uint256 tokensLocked)',
  'event FeesRescued(address indexed protocolRecipient, address indexed creatorRecipient, uint256 protocolAmount, uint256 creatorAmount)',
  'event AutoGraduationFailed(address indexed token, uint256 gasRemaining)',
  'event Initialized(address token)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Launched(address indexed token, address indexed curve, address indexed recipient, address launcher, uint256 quoteSpent, uint256 tokensReceived)',
  'event PoolRegistered(bytes32 indexed poolId, address memecoin, address quoteToken, address creator)',
])
export const ABI_EVENTS: ReadonlyMap<string, AbiEvent> = new Map(ABI.map((event) => [event.name, event]))

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
const latin1 = (hex: string): string => bytesOf(hex).toString('latin1')

export type Arg = string | bigint

/** Topics and data as emitted by a contract; `args` in declaration order. */
export const emitted = (name: string, args: readonly Arg[]): Pick<AltLog, 'topics' | 'data'> => {
  const event = ABI_EVENTS.get(name)
  if (event === undefined) throw new Error(`no event ${name}`)
  const values = Object.fromEntries(event.inputs.map((input, i) => [input.name, args[i]]))
  const plain = event.inputs.filter(({ indexed }) => !indexed)
  const data = encodeAbiParameters(
    plain,
    plain.map(({ name: arg = '' }) => values[arg]),
  )
  const topics = encodeEventTopics({ abi: [event], eventName: name, args: values }) as readonly string[]
  return { topics: topics.map(latin1), data: bytesOf(data) }
}

/** An address of one repeated byte. */
export const address = (byte: number): string => HEX_KEYS.print(mustHexKey(`0x${byte.toString(16).padStart(2, '0').repeat(20)}`))
export const keyAt = (byte: number): Key => mustHexKey(address(byte))

export const FACTORY = '0x7eD598BcEf8bd9Edd8C97A195C6d13f40801EC7e'
export const GMGN = '0x65050a9b7e5075a2ba5ced7b1b64ee66262c40dc'
export const AXIOM = '0x9689992f5b5c09447f15906d8d11214944488341'
export const LAUNCH_ROUTER = '0xe33e9e479df8802cb0866d5d05258bec4cf62948'
export const ZERO_ADDRESS = address(0)
export const [TOKEN, CURVE, DEPLOYER, WALLET] = [address(0x10), address(0x20), address(0x30), address(0x40)] as const
export const THRESHOLD = 4_200_000_000_000_000_000n

/** An address as a topic. */
export const word = (text: string): string =>
  text
    .slice(2)
    .padStart(64, '0')
    .replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))

/** A log of a contract. */
export const log = (index: number, emitter: string, name: string, ...args: readonly Arg[]): AltLog => ({
  ...{ index, address: mustHexKey(emitter), blockHash: null },
  ...emitted(name, args),
})
export const launchLog = (index: number, token = TOKEN, curve = CURVE, pair = ZERO_ADDRESS): AltLog =>
  log(index, FACTORY, 'TokenLaunched', token, curve, DEPLOYER, pair, 0n, THRESHOLD)

/** A transaction that calls `to`. */
export const transaction = (
  index: number,
  logs: readonly AltLog[],
  to: string | null = CURVE,
  from: string | null = WALLET,
): AltTransaction => ({
  index,
  hash: String.fromCharCode(index).repeat(32) as Signature,
  ...{ from: from === null ? null : mustHexKey(from), to: to === null ? null : mustHexKey(to) },
  logs: [...logs],
})

const hexOf = (bytes: Uint8Array | string): string =>
  `0x${(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)).toString('hex')}`
const quantity = (value: number): string => `0x${value.toString(16)}`

/** A log as returned by eth_getLogs. */
export const rpcLog = (number: number, { index, hash }: AltTransaction, { topics, data, ...at }: AltLog) => ({
  address: hexOf(at.address),
  topics: topics.map(hexOf),
  data: hexOf(data),
  ...{ blockNumber: quantity(number), blockHash: `0x${hashOf(number)}`, blockTimestamp: '0x0', logIndex: quantity(at.index) },
  ...{ transactionHash: hexOf(hash), transactionIndex: quantity(index), removed: false },
})

const hashOf = (number: number): string => number.toString(16).padStart(64, '0')
/** Unix seconds of the first block of `frame`. */
export const TIME = 1_780_000_000

/** A block with these logs, ten blocks a second from TIME on. */
export const frame = (number: number, ...transactions: readonly AltTransaction[]): RawFrame =>
  toFrame(
    {
      ...{ number, hash: hashOf(number), parentNumber: number - 1, parentHash: hashOf(number - 1) },
      ...{ blockTime: TIME + Math.floor(number / 10), status: 'processed', whole: true },
    },
    transactions,
  )

/** Announces TOKEN on CURVE. */
export const launchFrame = (number = 1): RawFrame => frame(number, transaction(0, [launchLog(0)], FACTORY, DEPLOYER))
