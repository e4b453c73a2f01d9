// A chain with one token, in memory: EIP-3009 transfers under real signatures, their events, and the JSON-RPC calls that read them. Omits
// gas, forks, contract wallets and everything else of an EVM.
import { authorizationTypes, type FacilitatorEvmSigner } from '@x402/evm'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  keccak256,
  parseAbi,
  recoverTypedDataAddress,
  serializeSignature,
  verifyTypedData,
} from 'viem'
import { type JsonServer, serveJson } from '../../../topology/sandbox/http.ts'

const ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const FEE_PAYER = '0x00000000000000000000000000000000000000fe'

/** The token contract, as the EIP-712 domain that payers sign for. */
export interface Token {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Hex
}
interface Log {
  readonly address: Hex
  readonly topics: readonly (Hex | Hex[] | null)[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly transactionHash: Hex
}
interface Authorization {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

export class TokenChain {
  /** Added to the wall clock for the time of blocks, seconds. */
  aheadS = 0
  readonly #token: Token
  readonly #balances = new Map<string, bigint>()
  readonly #used = new Set<string>()
  readonly #transactions = new Map<string, readonly Log[]>()
  #block = 1_000

  constructor(token: Token) {
    this.#token = token
  }
  balanceOf(address: string): bigint {
    return this.#balances.get(address.toLowerCase()) ?? 0n
  }
  mint(address: string, value: bigint): void {
    this.#balances.set(address.toLowerCase(), this.balanceOf(address) + value)
  }
  cancel(authorizer: Hex, nonce: Hex): void {
    this.#used.add(keyOf(authorizer, nonce))
    this.#mineBlock([this.#log(encodeEventTopics({ abi: ABI, eventName: 'AuthorizationCanceled', args: { authorizer, nonce } }))])
  }
  /** @throws the contract's revert reason. */
  async transfer(authorization: Authorization, signature: Hex): Promise<Hex> {
    await this.#check(authorization, signature)
    const { from, to, value, nonce } = authorization
    this.#used.add(keyOf(from, nonce))
    this.mint(from, -value)
    this.mint(to, value)
    const data = encodeAbiParameters([{ type: 'uint256' }], [value])
    return this.#mineBlock([
      this.#log(encodeEventTopics({ abi: ABI, eventName: 'AuthorizationUsed', args: { authorizer: from, nonce } })),
      this.#log(encodeEventTopics({ abi: ABI, eventName: 'Transfer', args: { from, to } }), data),
    ])
  }
  /** What a facilitator signs and sends with. */
  readonly signer: FacilitatorEvmSigner = {
    getAddresses: () => [FEE_PAYER],
    getCode: async ({ address }) => (address.toLowerCase() === this.#token.verifyingContract.toLowerCase() ? '0x01' : undefined),
    verifyTypedData: (asked) => verifyTypedData(asked as Parameters<typeof verifyTypedData>[0]),
    readContract: async ({ functionName, args = [] }) => {
      if (functionName !== 'transferWithAuthorization') throw new Error(`${functionName} is not implemented`)
      return this.#check(...callOf(args))
    },
    writeContract: async ({ args }) => this.transfer(...callOf(args)),
    sendTransaction: () => Promise.reject(new Error('not implemented')),
    waitForTransactionReceipt: async ({ hash }) => ({ status: 'success', logs: this.#transactions.get(hash) as never }),
  }
  /** Serves it as a node. */
  serve(): Promise<JsonServer> {
    const route = async (body: unknown) => {
      const { method, params } = body as { readonly method: string; readonly params: readonly unknown[] }
      return { status: 200, body: { jsonrpc: '2.0', id: 1, result: this.#answer(method, params) } }
    }
    return serveJson({ 'POST /': route }, { host: '127.0.0.1', port: 0, anyHost: false, names: [] })
  }

  #answer(method: string, params: readonly unknown[]): unknown {
    if (method === 'eth_getBlockByNumber') return { number: hexOf(this.#block), timestamp: hexOf(this.#nowS()) }
    if (method === 'eth_getTransactionReceipt') return { status: '0x1', logs: this.#transactions.get(params[0] as string) }
    if (method === 'eth_call') {
      const { args } = decodeFunctionData({ abi: ABI, data: (params[0] as { readonly data: Hex }).data })
      return encodeAbiParameters([{ type: 'bool' }], [this.#used.has(keyOf(...args))])
    }
    if (method !== 'eth_getLogs') return undefined
    const { topics, fromBlock, toBlock } = params[0] as { topics: readonly (Hex | Hex[])[]; fromBlock: Hex; toBlock: Hex }
    return [...this.#transactions.values()].flat().filter((log) => {
      const isIn = Number(log.blockNumber) >= Number(fromBlock) && Number(log.blockNumber) <= Number(toBlock)
      return isIn && topics.every((wanted, at) => [wanted].flat().includes(log.topics[at] as Hex))
    })
  }
  async #check(authorization: Authorization, signature: Hex): Promise<void> {
    const { from, value, validAfter, validBefore, nonce } = authorization
    const nowS = BigInt(this.#nowS())
    if (nowS <= validAfter) throw new Error('FiatTokenV2: authorization is not yet valid')
    if (nowS >= validBefore) throw new Error('FiatTokenV2: authorization is expired')
    if (this.#used.has(keyOf(from, nonce))) throw new Error('FiatTokenV2: authorization is used or canceled')
    const typed = { domain: this.#token, types: authorizationTypes, primaryType: 'TransferWithAuthorization' } as const
    const signed = await recoverTypedDataAddress({ ...typed, message: authorization, signature })
    if (signed.toLowerCase() !== from.toLowerCase()) throw new Error('FiatTokenV2: invalid signature')
    if (this.balanceOf(from) < value) throw new Error('ERC20: transfer amount exceeds balance')
  }
  #mineBlock(logs: readonly Omit<Log, 'blockNumber' | 'transactionHash'>[]): Hex {
    this.#block++
    const hash = keccak256(hexOf(this.#block))
    this.#transactions.set(
      hash,
      logs.map((log) => ({ ...log, blockNumber: hexOf(this.#block), transactionHash: hash })),
    )
    return hash
  }
  #log(topics: Log['topics'], data: Hex = '0x'): Omit<Log, 'blockNumber' | 'transactionHash'> {
    return { address: this.#token.verifyingContract, topics, data }
  }
  /** Adds blocks without transfers. */
  pass(blocks: number): void {
    this.#block += blocks
  }
  #nowS(): number {
    return Math.floor(Date.now() / 1_000) + this.aheadS
  }
}

const keyOf = (address: Hex, nonce: Hex): string => `${address} ${nonce}`.toLowerCase()
const hexOf = (value: number): Hex => `0x${value.toString(16)}`

/** Arguments of transferWithAuthorization with v, r and s. */
const callOf = (args: readonly unknown[]): [Authorization, Hex] => {
  const [from, to, value, validAfter, validBefore, nonce, v, r, s] = args as [Hex, Hex, bigint, bigint, bigint, Hex, bigint, Hex, Hex]
  return [{ from, to, value, validAfter, validBefore, nonce }, serializeSignature({ v: BigInt(v), r, s })]
}
