// Events of the launchpad's contracts, of its tokens and of routers, as Solidity declarations. Where the chain's logs differ from the
// published source (SnipeTaxCharged), the declaration follows the logs.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { asBuffer } from '../../../schemas/bytes.ts'

/** The role of the contract that emits an event. `unkept`: frames do not keep the event, because other events contain all its fields. */
type Emitter = 'factory' | 'curve' | 'token' | 'router' | 'hook' | 'unkept'

type ArgType = 'address' | 'uint256' | 'bytes32'

export interface EventArg {
  readonly name: string
  readonly type: ArgType
}

export interface EventAbi {
  readonly name: EventName
  readonly emitter: Emitter
  /** The text that is hashed: `CurveBuy(address,address,uint256,uint256,uint256,uint256)`. */
  readonly signature: string
  /** Arguments in topics. */
  readonly indexed: readonly EventArg[]
  /** Arguments in the data, 32 bytes each. */
  readonly nonIndexed: readonly EventArg[]
}

const DECLARED = {
  factory: [
    'TokenLaunched(address indexed token, address indexed curve, address indexed deployer, address pairToken, uint256 launchConfigId, uint256 graduationThreshold)',
    'LaunchSwept(address indexed token, uint256 quoteOut, uint256 tokenOut)',
    'LaunchForceSwept(address indexed token)',
    'PoolGraduated(address indexed token, uint256 positionId, uint256 tokenAmount, uint256 pairTokenAmount)',
    'GraduationTokensPermanentlyLocked(address indexed token, uint256 amount)',
    'LaunchGraduationRescued(address indexed token, address indexed recipient, uint256 quoteAmount, uint256 tokenAmount)',
  ],
  curve: [
    'CurveBuy(address indexed buyer, address indexed recipient, uint256 quoteIn, uint256 tokensOut, uint256 fee, uint256 tax)',
    'CurveSell(address indexed seller, address indexed recipient, uint256 tokensIn, uint256 quoteOut, uint256 fee, uint256 tax)',
    'SnipeTaxCharged(address indexed recipient, uint256 amount)',
    'SnipeTaxExempted(address indexed account)',
    'CurveBuyRefunded(address indexed buyer, uint256 refund)',
    'CurveCompleted(address recipient, uint256 quoteOut, uint256 tokenOut)',
    'FeesSwept(uint256 protocolAmount, uint256 buybackAmount, uint256 creatorAmount)',
    'BuybackLocked(uint256 quoteSpent, uint256 tokensLocked)',
    'FeesRescued(address indexed protocolRecipient, address indexed creatorRecipient, uint256 protocolAmount, uint256 creatorAmount)',
    'AutoGraduationFailed(address indexed token, uint256 gasRemaining)',
  ],
  token: ['Transfer(address indexed from, address indexed to, uint256 value)'],
  router: [
    'Launched(address indexed token, address indexed curve, address indexed recipient, address launcher, uint256 quoteSpent, uint256 tokensReceived)',
  ],
  unkept: ['Initialized(address token)'],
  hook: ['PoolRegistered(bytes32 indexed poolId, address memecoin, address quoteToken, address creator)'],
} as const

type Declared = (typeof DECLARED)[Emitter][number]
type NameOf<Text extends string> = Text extends `${infer Name}(${string}` ? Name : never
export type EventName = NameOf<Declared>

const argOf = (text: string): EventArg & { readonly isIndexed: boolean } => {
  const words = text.trim().split(' ')
  return { type: words[0] as ArgType, name: words.at(-1) as string, isIndexed: words[1] === 'indexed' }
}
const named = ({ name, type }: EventArg): EventArg => ({ name, type })

const abiOf = (emitter: Emitter, text: string): EventAbi => {
  const [name = '', list = ''] = text.slice(0, -1).split('(')
  const args = list.split(',').map(argOf)
  return {
    name: name as EventName,
    emitter,
    signature: `${name}(${args.map(({ type }) => type).join(',')})`,
    indexed: args.filter(({ isIndexed }) => isIndexed).map(named),
    nonIndexed: args.filter(({ isIndexed }) => !isIndexed).map(named),
  }
}

const latin1 = (bytes: Uint8Array): string => asBuffer(bytes).toString('latin1')

/** The first topic of an event's logs: 32 bytes as latin1 text. */
const topicOf = (signature: string): string => latin1(keccak_256(Buffer.from(signature)))

/** Events by their first topic. */
export const EVENTS: ReadonlyMap<string, EventAbi> = new Map(
  Object.entries(DECLARED).flatMap(([emitter, texts]) =>
    texts.map((text) => {
      const abi = abiOf(emitter as Emitter, text)
      return [topicOf(abi.signature), abi] as const
    }),
  ),
)

const latin1OfHex = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1')

/**
 * Fills by their first topic: events in which routers name the wallet that they trade for. `wallet` is the index of the topic that holds
 * the wallet, `token` of the one that holds the token; null where no topic does. The declarations are not public; the indexes were derived
 * from transactions of the chain.
 */
export const FILLS: ReadonlyMap<string, { readonly wallet: number; readonly token: number | null }> = new Map([
  [latin1OfHex('8619026a40d38bedb4002fe511cea4bc4a9b336710efe8f21a61869a7ee0f02a'), { wallet: 1, token: null }],
  [latin1OfHex('205442d60b70af1203d43cab62352c3b69b94f091be32fe683198057282b5c92'), { wallet: 2, token: null }],
  [latin1OfHex('982b660b9985e587951b1aedb098a83fb5db903099865476bba451abb83416c8'), { wallet: 1, token: 2 }],
])
