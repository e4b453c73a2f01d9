// Made by schemas/generate.ts from the *.avsc files: change those, then npm run schemas.
import type { Amount } from './amount.ts'
import type { Key, Signature } from './keys.ts'

/** One record of the topics raw.*: a frame of the chain, or a control frame about frames. Numbered by capture. */
export interface RawRecord {
  /** Number that capture gave this record: monotone within one chain, reverts included. Never part of an output. */
  sequence: number
  /** What the record says. */
  body: RawFrame | Anchor | Revert | Finality
}

/** One slot or block in the normal form that every source yields identically. A recording is a file of these. */
export interface RawFrame {
  type: 'frame'
  /** Chain of the frame. */
  chain: Chain
  /** Slot (solana) or block number (alt). */
  number: number
  /** Block hash, base58 (solana) or hex without 0x (alt). Where the file had none: hex of sha256 over the normal form. */
  hash: string
  /** True where the hash was made from the normal form. */
  hashSynthetic: boolean
  /** Slot or block that this one builds on; null when the file does not say. */
  parentNumber: null | number
  /** Hash of the parent; null when the file does not say. */
  parentHash: null | string
  /** How sure the chain was of the frame when it was captured. */
  status: 'processed' | 'confirmed' | 'finalized'
  /** Unix seconds of the chain's clock; null when the file does not say. */
  blockTime: null | number
  /** True when the frame was made from all transactions of its block; false for single transactions. */
  whole: boolean
  /** False when the file named no slot, so that number is the order of import. */
  placed: boolean
  /** True when the importer vouched that the files hold everything about their mints (--assume-complete). */
  vouched: boolean
  /** Which part of the frame this is, from 0. */
  part: number
  /** How many parts the frame has; the bodies are joined before they are inflated. */
  parts: number
  /** Deflated Avro of FrameBody. */
  body: Uint8Array
  /** What did not arrive of the chain since the frame before, this one included, as its source knows it. */
  missing: Missing[]
}

export type Chain = 'solana' | 'alt'

/** Slots or blocks, or one transaction, that the source could not deliver. */
export interface Missing {
  /** First number. */
  from: number
  /** Last number. */
  to: number
  /** Why, in a few words. */
  reason: string
  /** The transaction that another source had, base58; null where whole frames are missing. */
  signature: null | string
  /** Launchpad mints that the transaction touched, base58, as the other source had it. */
  mints: string[]
}

/** Ties stream time to the wall at a start of a source that replays: clock = streamMs + (wall - wallMs) * speed. Touches no row. */
export interface Anchor {
  type: 'anchor'
  /** Stream time at the anchor, unix milliseconds. */
  streamMs: number
  /** Wall time at the anchor, unix milliseconds. */
  wallMs: number
  /** Stream seconds per wall second; 0 stands for as fast as possible. */
  speed: number
}

/** A fork: every frame after the one named is taken back, newest first. The living branch follows. */
export interface Revert {
  type: 'revert'
  chain: Chain
  /** Newest frame that lives: its slot or block. */
  number: number
  /** Its block hash. */
  hash: string
}

/** How sure the chain is of the frames sent so far. Touches no row. */
export interface Finality {
  type: 'finality'
  chain: Chain
  /** Frames up to this number are confirmed. */
  confirmed: number
  /** Frames up to this number cannot be taken back. */
  finalized: number
}

/** What a frame keeps of its block: launchpad transactions whole, of all others SOL transfers of at least 0.1 SOL and balance changes of launchpad mints. */
export interface FrameBody {
  /** Launchpad transactions in block order, failed ones too. */
  transactions: FrameTransaction[]
  /** SOL transfers of at least 0.1 SOL in the other transactions that succeeded. */
  transfers: SolTransfer[]
  /** Transactions of the block that failed and touched no launchpad program. */
  failedOthers: number
  /** Transactions of the block as its source gave it, votes included. */
  transactionsTotal: number
  /** Balance changes of launchpad mints in the other transactions that succeeded, by transaction index and account index. A body without such changes ends before this list, as in older versions. */
  balances: OtherBalance[]
}

/** One transaction that touches the launchpad's programs. */
export interface FrameTransaction {
  /** Index in the block as the source counts it; the order of import where the block is not known. */
  index: number
  /** False where the file lacks the index in the block. */
  indexKnown: boolean
  /** First signature. */
  signature: Signature
  /** -1 legacy, else the version number of the message (0, 1). */
  version: number
  /** How many of the first keys signed. */
  signers: number
  /** True when the transaction failed: its events never happened. */
  failed: boolean
  /** Top-level instruction that failed, where the error names one. */
  failedInstruction: null | number
  /** Custom error code, where the error has one. */
  failedCode: null | number
  /** Network fee with priority fee, lamports. */
  feeLamports: number
  /** Account keys: static, then loaded writable, then loaded read-only. */
  keys: Key[]
  /** Top-level instructions in order. */
  instructions: FrameInstruction[]
  /** Inner instructions; null where the recorder stored none. */
  inner: null | InnerInstruction[]
  /** Log lines, stored only where inner is null. */
  logs: null | string[]
  /** Lamport changes by account index. */
  lamports: LamportChange[]
  /** Token balance changes by account index. */
  tokens: TokenChange[]
}

/** A top-level instruction. */
export interface FrameInstruction {
  /** Index of the program in keys. */
  program: number
  /** Indexes of the accounts in keys, one byte each. */
  accounts: Uint8Array
  /** Instruction data; empty where the file had only a parsed form. */
  data: Uint8Array
}

/** An instruction that a program called, in order of execution. */
export interface InnerInstruction {
  /** Top-level instruction it belongs to, from 0. */
  outer: number
  /** Stack height (2 = called by the top level); 0 where the file lacks it. */
  depth: number
  /** Index of the program in keys. */
  program: number
  /** Indexes of the accounts in keys, one byte each. */
  accounts: Uint8Array
  /** Instruction data; empty where the file had only a parsed form. */
  data: Uint8Array
}

/** An account whose lamports changed. */
export interface LamportChange {
  /** Index in keys. */
  account: number
  /** Lamports before, decimal. */
  before: string
  /** Lamports after, decimal. */
  after: string
}

/** A token account whose balance changed. */
export interface TokenChange {
  /** Index in keys. */
  account: number
  /** Mint of the account. */
  mint: Key
  /** Owner; null in old data. */
  owner: null | Key
  /** SPL Token or Token-2022; null in old data. */
  tokenProgram: null | Key
  /** Decimals of the mint. */
  decimals: number
  /** Base units before, decimal; 0 where the account was new. */
  before: string
  /** Base units after, decimal; 0 where the account was closed. */
  after: string
}

/** A system transfer. */
export interface SolTransfer {
  /** Index of the transaction in the block. */
  index: number
  /** Top-level instruction, from 0. */
  outer: number
  /** 0 for the top level itself, inner instructions from 1. */
  inner: number
  /** First signature. */
  signature: Signature
  /** The paying account. */
  source: Key
  /** The paid account. */
  target: Key
  /** Lamports, decimal. */
  amountLamports: string
}

/** A token account whose balance of a launchpad mint changed without the launchpad: a transfer, a burn, a trade elsewhere. */
export interface OtherBalance {
  /** Index of the transaction in the block. */
  index: number
  /** First signature. */
  signature: Signature
  /** The token account. */
  account: Key
  mint: Key
  /** Owner; null in old data. */
  owner: null | Key
  /** SPL Token or Token-2022; null in old data. */
  tokenProgram: null | Key
  /** Decimals of the mint. */
  decimals: number
  /** Base units before, decimal; 0 where the account was new. */
  before: string
  /** Base units after, decimal; 0 where the account was closed. */
  after: string
}

/** One record of the topics tape.*: every decoded event of one frame for one partition, in position order. A batch without events is the frame's tick in that partition. */
export interface TapeBatch {
  type: 'batch'
  /** Chain of the frame. */
  chain: Chain
  /** Slot or block number. */
  number: number
  /** First 8 characters of the block's hash. */
  hash8: string
  /** Capture's number of the frame; merges inputs, never part of an output. */
  sequence: number
  /** Tick time in unix seconds: max(previous tick, block time); the previous tick where there is no block time. */
  time: number
  /** First number of the newest gap before this frame that was not delivered; null when none was seen. */
  gapFrom: null | number
  /** Last number of that gap. */
  gapTo: null | number
  /** The importer vouched that everything about the mints of this frame is there. */
  vouched: boolean
  /** The frame was finalised when it was captured: no fork can take it back, so that its rows need no undo. */
  final: boolean
  /** False when the slot was not known and number is the order of import. */
  placed: boolean
  /** Transactions of the launchpad in the frame, failed ones too; null where the frame could not be read, and in tapes from before this field. */
  launchpadTransactions: null | number
  /** Those of them that failed. */
  launchpadFailed: null | number
  /** Events in position order. */
  events: (Launch | Trade | Complete | PostCompleteBuy | Migrate | PoolCreate | PoolTrade | PoolLiquidity | PoolBoost | CreatorChange | MayhemReserves | Balance | Transfer | MissingEvent)[]
}

/** A token was launched on the curve (pump CreateEvent). */
export interface Launch {
  type: 'launch'
  /** Transaction number in the frame. */
  tx: number
  /** Top-level instruction; 4294967295 (printed ~) for events derived from balances. */
  outer: number
  /** 0 the top level itself, inner instructions from 1. */
  inner: number
  /** First signature of the transaction. */
  signature: Signature
  /** The coin. */
  mint: Key
  /** The event's own clock, unix seconds; null in layout V0. */
  timestamp: null | number
  /** Curve account, owner of the curve's token vault. */
  bondingCurve: Key
  /** Who called create. */
  user: Key
  /** Creator named by the launch; user in layout V0. */
  creator: Key
  /** Creator is on the ed25519 curve, so a wallet and not a program address. */
  creatorIsWallet: boolean
  /** Untrusted text of the creator, as logged; invalid UTF-8 replaced. */
  name: string
  /** Untrusted text of the creator. */
  symbol: string
  /** Untrusted text of the creator. */
  uri: string
  /** Token program; null before layout V2. */
  tokenProgram: null | Key
  /** Mayhem mode; false before layout V2. */
  mayhem: boolean
  /** Cashback coin; false before layout V2. */
  cashback: boolean
  /** Quote mint; null stands for SOL. */
  quoteMint: null | Key
  /** Virtual token reserve, base units; null in layout V0. */
  virtualTokenUnits: null | Amount
  /** Virtual quote reserve, base units (lamports for SOL). */
  virtualQuoteUnits: null | Amount
  /** Real token reserve, base units. */
  realTokenUnits: null | Amount
  /** Total supply of the event, base units. */
  supplyUnits: null | Amount
  /** Layout generation V0..V6. */
  layout: string
}

/** A trade on the curve (pump TradeEvent). Reserves are after the trade. */
export interface Trade {
  type: 'trade'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** The event's own clock, unix seconds. */
  timestamp: number
  /** Trader named by the event, not the fee payer. */
  user: Key
  /** True when the user bought the coin. */
  isBuy: boolean
  /** The launchpad traded for itself (the mayhem agent): left out of volume, buyers and holders. */
  isAgent: boolean
  /** Mayhem flag of the event; false before layout G4. */
  mayhem: boolean
  /** Null stands for SOL. */
  quoteMint: null | Key
  /** Coin amount, base units. */
  tokenUnits: Amount
  /** Quote amount without fees, base units (lamports for SOL). */
  quoteUnits: Amount
  /** Protocol fee in quote units (the buy-back is a part of it); null before layout G2. */
  feeUnits: null | Amount
  /** Creator or cashback fee in quote units; null before layout G2. */
  creatorFeeUnits: null | Amount
  /** Virtual quote reserve after the trade. */
  virtualQuoteUnits: Amount
  /** Virtual token reserve after the trade. */
  virtualTokenUnits: Amount
  /** Real quote reserve after the trade; null in layout G0. */
  realQuoteUnits: null | Amount
  /** Real token reserve after the trade; null in layout G0. */
  realTokenUnits: null | Amount
  /** Creator the fee went to; null before layout G2. */
  creator: null | Key
  /** Layout generation G0..G8. */
  layout: string
}

/** The curve sold all its real tokens (pump CompleteEvent). */
export interface Complete {
  type: 'complete'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  timestamp: number
  /** Who bought the rest. */
  user: Key
  bondingCurve: Key
  /** Null stands for SOL. */
  quoteMint: null | Key
}

/** The part of a synthetic migration's buy that fell to the future pool (pump PostCompleteBuyEvent). */
export interface PostCompleteBuy {
  type: 'postCompleteBuy'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  timestamp: number
  user: Key
  /** Null stands for SOL. */
  quoteMint: null | Key
  /** Coins the buyer got beyond the curve. */
  tokenUnits: Amount
  /** Quote paid for them. */
  quoteUnits: Amount
  /** Coins with which the pool will open. */
  poolTokenUnitsAfter: Amount
  /** Quote with which the pool will open. */
  poolQuoteUnitsAfter: Amount
}

/** The curve moved to a pool (pump CompletePumpAmmMigrationEvent). */
export interface Migrate {
  type: 'migrate'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  timestamp: number
  user: Key
  bondingCurve: Key
  /** Pool account, owner of the pool's vaults. */
  pool: Key
  /** Null stands for SOL. */
  quoteMint: null | Key
  /** Coins moved to the pool. */
  tokenUnits: Amount
  /** Quote moved to the pool. */
  quoteUnits: Amount
  /** Migration fee in quote units. */
  feeUnits: Amount
}

/** A pool was created (pump_amm CreatePoolEvent) for a coin: the side that is not SOL, or the base. */
export interface PoolCreate {
  type: 'poolCreate'
  tx: number
  outer: number
  inner: number
  signature: Signature
  /** The coin's mint: base, or quote where the base is SOL. */
  mint: Key
  timestamp: number
  pool: Key
  creator: Key
  /** Pool index; 0 with the launchpad's authority as creator is the canonical pool. */
  index: number
  /** False where SOL is the base, so that a pool buy sells the coin. */
  coinIsBase: boolean
  /** The other side; null stands for SOL. */
  quoteMint: null | Key
  /** Coins in the pool after opening. */
  tokenUnits: Amount
  /** Other side in the pool after opening. */
  quoteUnits: Amount
  /** Mayhem flag; false where the layout has none. */
  mayhem: boolean
}

/** A trade in a pool, seen from the coin (pump_amm BuyEvent, SellEvent). Reserves are before the trade. */
export interface PoolTrade {
  type: 'poolTrade'
  tx: number
  outer: number
  inner: number
  signature: Signature
  /** The coin's mint, from the instruction's accounts. */
  mint: Key
  timestamp: number
  pool: Key
  user: Key
  /** True when the user bought the coin, whichever side of the pool it is. */
  isBuy: boolean
  /** The launchpad traded for itself (the mayhem agent, a boost that buys and burns): left out of volume, buyers and holders. */
  isAgent: boolean
  coinIsBase: boolean
  /** Null stands for SOL. */
  quoteMint: null | Key
  /** Coins that changed hands. */
  tokenUnits: Amount
  /** Other side that hit the pool's curve, without fees. */
  quoteUnits: Amount
  /** What the user paid or got of the other side, with fees. */
  userQuoteUnits: Amount
  /** Coins in the pool before the trade. */
  poolTokenUnits: Amount
  /** Other side in the pool before the trade. */
  poolQuoteUnits: Amount
  /** Virtual quote reserve (boost), may be negative; null where the layout has none. */
  virtualQuoteUnits: null | Amount
  /** Of the fees, what stayed in the pool on the other side; 0 where the coin is the program's quote side, whose fees are in coins. */
  poolFeeUnits: Amount
}

/** Liquidity was added to or taken from a pool (pump_amm DepositEvent, WithdrawEvent). Reserves are before. */
export interface PoolLiquidity {
  type: 'poolLiquidity'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  timestamp: number
  pool: Key
  user: Key
  isDeposit: boolean
  coinIsBase: boolean
  /** Null stands for SOL. */
  quoteMint: null | Key
  tokenUnits: Amount
  quoteUnits: Amount
  poolTokenUnits: Amount
  poolQuoteUnits: Amount
}

/** A pool got a virtual quote reserve (pump_amm InitBoostEvent), or a part of it bought coins that were burnt (BoostBuyAndBurnEvent, after the trade). */
export interface PoolBoost {
  type: 'poolBoost'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  timestamp: number
  pool: Key
  virtualQuoteUnits: Amount
  realQuoteUnitsAfter: Amount
}

/** The creator of a coin was changed. The dev set does not move with it. */
export interface CreatorChange {
  type: 'creatorChange'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  timestamp: number
  /** The new creator. */
  creator: Key
  /** Name of the event that said so. */
  kind: string
}

/** The virtual reserves of a mayhem curve were set without a trade (pump UpdateMayhemVirtualParamsEvent). */
export interface MayhemReserves {
  type: 'mayhemReserves'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  timestamp: number
  virtualTokenUnits: Amount
  virtualQuoteUnits: Amount
  realTokenUnits: Amount
  realQuoteUnits: Amount
}

/** Coins that came to an owner or left it in a transaction without its trading them: a transfer, a burn. The change of its accounts less its trades, deposits and withdrawals. Of the mayhem agent only what was minted to it or burnt by it. */
export interface Balance {
  type: 'balance'
  tx: number
  /** 4294967295 (printed ~). */
  outer: number
  /** Its number in the transaction, from 0, by owner then mint. */
  inner: number
  signature: Signature
  mint: Key
  /** Null: balances have no clock of their own. */
  timestamp: null | number
  owner: Key
  /** Base units, negative where they left. */
  units: Amount
  /** The owner traded the coin in the same transaction. */
  traded: boolean
  /** The owner is on the ed25519 curve, so a wallet and not a program address. Looked at only where coins came; else false. */
  isWallet: boolean
  /** They came from owners that are all wallets; false where nobody lost any. */
  fromWallets: boolean
  /** Where they came from, when it is one owner. */
  sender: null | Key
}

/** A wallet was paid at least 0.1 SOL by a system transfer: anywhere in transactions without the launchpad, at the top level of those with it. */
export interface Transfer {
  type: 'transfer'
  tx: number
  outer: number
  inner: number
  signature: Signature
  /** Null: transfers have no clock of their own. */
  timestamp: null | number
  /** Who paid. */
  funder: Key
  /** Who was paid: on the ed25519 curve. */
  wallet: Key
  amountLamports: Amount
}

/** A call of the launchpad succeeded that always emits an event, and the record of its transaction does not have it: trades of the coin may be missing. */
export interface MissingEvent {
  type: 'missingEvent'
  tx: number
  outer: number
  inner: number
  signature: Signature
  /** The coin that the call's accounts name. */
  mint: Key
  /** Null: a call has no clock of its own. */
  timestamp: null | number
  /** Name of the instruction. */
  call: string
}

/** A fork, in every partition: the frames named never happened, nor anything that was concluded from them. */
export interface TapeRevert {
  type: 'revert'
  chain: Chain
  /** Capture's number of the revert. */
  sequence: number
  /** Newest frame that lives. */
  number: number
  /** First 8 characters of its hash. */
  hash8: string
  /** Frames taken back, newest first. */
  dead: DeadFrame[]
}

/** A frame of a dead branch. */
export interface DeadFrame {
  number: number
  hash8: string
}

/** How sure the chain is of the frames so far, in every partition. Touches no row. */
export interface TapeFinality {
  type: 'finality'
  chain: Chain
  /** Capture's number of this record. */
  sequence: number
  /** Frames up to this number are confirmed. */
  confirmed: number
  /** Frames up to this number cannot be taken back. */
  finalized: number
}

/** Body of a frame of the alt chain: logs of the last block of the frame, by transaction. Kept are events of curves and of the launchpad's factories, transfers of its tokens, and, in transactions with an event of a curve or factory, events of known routers and hooks. The other blocks of the frame have no logs of the launchpad or its tokens. Empty if the last block has none either. */
export interface AltFrameBody {
  /** In block order. */
  transactions: AltTransaction[]
}

/** A transaction with logs of the launchpad or its tokens. Failed ones have no logs. */
export interface AltTransaction {
  /** Index in the block. */
  index: number
  hash: Signature
  /** Sender; null where the imported file lacks it. */
  from: null | Key
  /** Contract called; null where the transaction creates one, or where the imported file lacks it. */
  to: null | Key
  /** In order of their index. */
  logs: AltLog[]
}

/** An event of a contract. */
export interface AltLog {
  /** Index among all logs of the block. */
  index: number
  /** Contract that emitted it. */
  address: Key
  /** The event's hash, then its indexed arguments. */
  topics: string[]
  /** The other arguments. */
  data: Uint8Array
  /** Block that the node named for the log, where it differs from the frame's block; null where it is the same. A log of another block yields no event. */
  blockHash: null | string
}

/** One record of the tape of the alt chain: every decoded event of one frame for one partition, in position order. A batch without events is the frame's tick in that partition. */
export interface AltTapeBatch {
  type: 'batch'
  /** Chain of the frame. */
  chain: Chain
  /** Block number: of the last block that the frame stands for. */
  number: number
  /** First 8 characters of the block's hash. */
  hash8: string
  /** Capture's number of the frame; merges inputs, never part of an output. */
  sequence: number
  /** Tick time in unix seconds: max(previous tick, block time); the previous tick where there is no block time. */
  time: number
  /** First number of the newest gap before this frame that was not delivered; null when none was seen. */
  gapFrom: null | number
  /** Last number of that gap. */
  gapTo: null | number
  /** The importer vouched that everything about the mints of this frame is there. */
  vouched: boolean
  /** The frame was finalised when it was captured: no fork can take it back, so that its rows need no undo. */
  final: boolean
  /** False when the block was not known and number is the order of import. */
  placed: boolean
  /** Transactions with events of the launchpad in the frame; null where the frame could not be read. */
  launchpadTransactions: null | number
  /** Null: failed transactions leave no logs. */
  launchpadFailed: null | number
  /** Events in position order. */
  events: (AltLaunch | AltTrade | AltComplete | AltSweep | AltMigrate | AltRefund | AltFeesSwept | AltBuyback | AltSnipeExemption | AltTokenTransfer | AltGraduationFailed | AltRescue)[]
}

/** A token was launched on a curve (factory TokenLaunched), with what the same transaction says of it before and after. */
export interface AltLaunch {
  type: 'launch'
  /** Index of the transaction in the block. */
  tx: number
  /** Index of the log in the block: the third number of a position of this chain. */
  outer: number
  /** 4294967294: positions of this chain have no fourth number. */
  inner: number
  /** Hash of the transaction. */
  signature: Signature
  /** The token. */
  mint: Key
  /** Curve contract: holds the whole supply at first. */
  bondingCurve: Key
  /** Deployer named by the launch. */
  creator: Key
  /** Who launched through the launch router (Launched); null where the factory was called otherwise. */
  launcher: null | Key
  /** Sender of the transaction; null where the file does not say. */
  txFrom: null | Key
  /** Contract that the transaction called; null where it created one, or where the file does not say. */
  txTo: null | Key
  /** Name of the contract that was called: direct for the factory itself, else the name of the router, or other. */
  route: string
  /** Pair token; null stands for ETH (the zero address). */
  quoteMint: null | Key
  /** Decimals of the pair, 0 to 77; null where they are not known. */
  quoteDecimals: null | number
  /** Why quoteDecimals is null. */
  quoteDecimalsReason: null | string
  /** The factory's launch configuration. */
  configId: Amount
  /** Real quote at which the curve is full, base units of the pair. */
  thresholdUnits: Amount
  /** Quote that the curve pretends to have at first, base units: 2/5 of the threshold on all curves seen (1.68 of 4.2 ETH). */
  virtualQuoteUnits: Amount
  /** Minted to the curve in the transaction, base units; null where the file has no Transfer of it. */
  supplyUnits: null | Amount
  /** Who pays no snipe tax: SnipeTaxExempted of the transaction, each account once, in order. */
  exempt: Key[]
}

/** A trade on the curve (CurveBuy, CurveSell). */
export interface AltTrade {
  type: 'trade'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token. */
  bondingCurve: Key
  /** Pair token; null stands for ETH. */
  quoteMint: null | Key
  /** True when tokens left the curve. */
  isBuy: boolean
  /** Caller of the curve that the event names (buyer, seller): a wallet or a router. */
  user: Key
  /** Who got the tokens of a buy or the quote of a sell. */
  recipient: Key
  /** Who traded; null where it cannot be told. */
  wallet: null | Key
  /** How the wallet was found: direct (it called the curve), recipient (the event names it beside its router), transfer (the token moved between router and wallet in the transaction), fill (an event of the router), sender (of the transaction); null with wallet. */
  walletBy: null | string
  /** direct, the name of the router, or other. */
  route: string
  /** Sender of the transaction; null where the file does not say. */
  txFrom: null | Key
  /** Contract that the transaction called; null where the file does not say. */
  txTo: null | Key
  /** Tokens, base units (18 decimals). */
  tokenUnits: Amount
  /** Quote that came to the curve or left it, base units: of a buy without fee and tax, of a sell with them. Sums of it are the real reserve. */
  quoteUnits: Amount
  /** What the caller paid (after a refund) or got: quoteIn, quoteOut of the event. */
  userQuoteUnits: Amount
  /** Fee of the event in quote; of a buy the snipe tax is a part of it. */
  feeUnits: Amount
  /** Creator's tax in quote. */
  creatorFeeUnits: Amount
  /** Snipe tax of the buy in quote (SnipeTaxCharged), a part of feeUnits; 0 where none was charged. */
  snipeTaxUnits: Amount
}

/** The curve sold all it had for sale (CurveCompleted). */
export interface AltComplete {
  type: 'complete'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token. */
  bondingCurve: Key
  /** Pair token; null stands for ETH. */
  quoteMint: null | Key
  /** Who got what the curve held: the factory. */
  recipient: Key
  /** Quote that left the curve: the real reserve. */
  quoteUnits: Amount
  /** Tokens that left it. */
  tokenUnits: Amount
  /** As the factory says in the same transaction (LaunchSwept); null where it does not. */
  sweptQuoteUnits: null | Amount
  /** As above. */
  sweptTokenUnits: null | Amount
}

/** The factory took over a full curve in a transaction without its completion (LaunchSwept, LaunchForceSwept). */
export interface AltSweep {
  type: 'sweep'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token; null where the decoder does not know the launch. */
  bondingCurve: null | Key
  /** LaunchForceSwept, which names no amounts. */
  isForced: boolean
  /** Quote taken over; null when forced. */
  quoteUnits: null | Amount
  /** Tokens taken over; null when forced. */
  tokenUnits: null | Amount
}

/** The token moved to a pool (PoolGraduated). */
export interface AltMigrate {
  type: 'migrate'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token; null where the decoder does not know the launch. */
  bondingCurve: null | Key
  /** Id of the pool's position. */
  positionId: Amount
  /** Id of the pool, hex with 0x (PoolRegistered of the same transaction); null where it is not there. */
  poolId: null | string
  /** Tokens moved to the pool. */
  tokenUnits: Amount
  /** Quote moved to the pool. */
  quoteUnits: Amount
}

/** Of the buy that fills the curve, what was too much (CurveBuyRefunded); the buy follows in the same transaction. */
export interface AltRefund {
  type: 'refund'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token. */
  bondingCurve: Key
  /** Pair token; null stands for ETH. */
  quoteMint: null | Key
  /** Who is paid back: the caller of the curve. */
  user: Key
  /** Quote paid back. */
  quoteUnits: Amount
}

/** Fees left the curve (FeesSwept); changes no reserve. */
export interface AltFeesSwept {
  type: 'feesSwept'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token. */
  bondingCurve: Key
  /** Pair token; null stands for ETH. */
  quoteMint: null | Key
  /** Quote for the launchpad. */
  protocolUnits: Amount
  /** Quote for the buyback. */
  buybackUnits: Amount
  /** Quote for the creator. */
  creatorUnits: Amount
}

/** The curve bought its own tokens for good (BuybackLocked): both reserves change as by a buy. */
export interface AltBuyback {
  type: 'buyback'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token. */
  bondingCurve: Key
  /** Pair token; null stands for ETH. */
  quoteMint: null | Key
  /** Quote that came to the reserve. */
  quoteUnits: Amount
  /** Tokens that left it. */
  tokenUnits: Amount
}

/** An account was freed of the snipe tax after the launch (SnipeTaxExempted); those of the launch are in its event. */
export interface AltSnipeExemption {
  type: 'snipeExemption'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token. */
  bondingCurve: Key
  /** Who pays none. */
  account: Key
}

/** Tokens moved (Transfer of a launched token), by trades too; what the launch minted to the curve is in the launch alone. */
export interface AltTokenTransfer {
  type: 'tokenTransfer'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Who lost them; the zero address mints. */
  sender: Key
  /** Who got them; the zero address burns. */
  recipient: Key
  /** Base units. */
  tokenUnits: Amount
}

/** The curve is full and could not be swept (AutoGraduationFailed). */
export interface AltGraduationFailed {
  type: 'graduationFailed'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token. */
  bondingCurve: Key
  /** Gas that was left. */
  gasRemaining: Amount
}

/** A rare way out for tokens or quote (GraduationTokensPermanentlyLocked, LaunchGraduationRescued, FeesRescued). */
export interface AltRescue {
  type: 'rescue'
  tx: number
  outer: number
  inner: number
  signature: Signature
  mint: Key
  /** Curve contract of the token; null where the decoder does not know the launch. */
  bondingCurve: null | Key
  /** Name of the event. */
  kind: string
  /** Who got them; of FeesRescued the launchpad. Null where they are locked. */
  recipient: null | Key
  /** Who got the creator's part of FeesRescued. */
  creatorRecipient: null | Key
  /** Quote: of FeesRescued the launchpad's part, around the escrow; 0 where none is named. */
  quoteUnits: Amount
  /** Creator's part of FeesRescued, else 0. */
  creatorUnits: Amount
  /** Tokens; 0 where none are named. */
  tokenUnits: Amount
}

/** All rows of one mint, as one record of the changelog (pages beyond 64 KB). A nullable record is a row of which a mint has one; an array holds rows of which it has many, identified by the field named in rowId. */
export interface MintState {
  /** Data of the launch event; absent if the launch was not observed. */
  launch: null | LaunchRow
  /** Running figures of the mint. */
  curve: null | CurveRow
  /** A wallet that ever held the coin; zero balances stay, they are past buyers. */
  holders: HolderRow[]
  /** Flow of one second, in row second % 60: the row of a minute ago is overwritten, so that a mint has at most 60 rows. */
  flows: FlowRow[]
  /** A flag that fired: once per mint. */
  flags: FlagRow[]
  /** Trades that prove a dumped bundle: its buys in the create slot and its sells, the first 64; dropped once the flag fired. */
  proofs: ProofRow[]
  /** Creator changes, the newest 20 of them. */
  changes: CreatorChangeRow[]
  /** The settled outcome; the first settlement is final. */
  outcome: null | OutcomeRow
  /** What a task keeps of a removed mint for a day; the history keeps the record of the mint permanently. */
  stub: null | StubRow
  /** Timers that wait; the engine's own rows. */
  timers: TimerRow[]
  /** Record of the dev set before this launch; absent until an answer arrives. */
  prior: null | PriorRow
  /** Pools of the coin: the one of the migration and the newest others, 8 in all. */
  pools: PoolRow[]
  /** Steps of the lifecycle that were seen, at most two. */
  steps: StepRow[]
  /** The wallets that paid the creator in the 30 minutes before the launch; absent until the answer arrived. */
  warm: null | WarmRow
  /** Funders of early buyers, kept until the funders of the creator are known. */
  waiting: WaitingRow[]
  /** Sum over the wallets that have no row of their own. */
  folded: null | FoldedRow
}

/** Set once at launch. */
export interface LaunchRow {
  /** Slot of the launch. */
  number: number
  tx: number
  outer: number
  inner: number
  /** First 8 characters of the block's hash. */
  hash8: string
  signature: Signature
  /** Unix seconds: the event's own clock, else the tick. */
  at: number
  /** Untrusted text. */
  name: string
  /** Untrusted text. */
  symbol: string
  /** Untrusted text. */
  uri: string
  user: Key
  creator: Key
  creatorIsWallet: boolean
  bondingCurve: Key
  tokenProgram: null | Key
  mayhem: boolean
  cashback: boolean
  /** Null means SOL. */
  quoteMint: null | Key
  /** Total supply in the launch event, base units. */
  supplyUnits: Amount
  /** Coins that the curve had to sell at launch, base units. */
  realTokenUnits: Amount
  /** The importer vouched for the frame of the launch. */
  vouched: boolean
  /** False where the slot was not known. */
  placed: boolean
}

/** Changed by every trade; flat, so that the journal's copy stays cheap. */
export interface CurveRow {
  /** Slot of the newest event of this mint. */
  lastNumber: number
  lastTx: number
  lastOuter: number
  lastInner: number
  /** Unix seconds of that event. */
  lastAt: number
  /** Quote of the curve; null means SOL. */
  quoteMint: null | Key
  /** True if an event named it a mayhem curve. */
  mayhem: boolean
  /** After the newest trade; -1 unknown. */
  virtualQuoteUnits: Amount
  /** -1 unknown. */
  virtualTokenUnits: Amount
  /** Curve reserve; -1 unknown. */
  realQuoteUnits: Amount
  /** -1 unknown. */
  realTokenUnits: Amount
  /** Running peak of the real quote reserve before migration. */
  peakQuoteUnits: Amount
  peakNumber: number
  peakTx: number
  peakOuter: number
  peakInner: number
  /** First 8 characters of the hash of the peak's block; empty before the first trade. */
  peakHash8: string
  buys: number
  sells: number
  /** Curve and pool trades without the agent's. */
  trades: number
  /** Wallets that ever bought. */
  uniqueBuyers: number
  /** Unix seconds; 0 none. */
  lastTradeAt: number
  /** Unix seconds; 0 none. */
  lastBuyAt: number
  /** Unix seconds; 0 none. */
  lastNewBuyerAt: number
  /** Unix seconds of the newest sell by a wallet that was in the top 5; 0 none. */
  lastTop5SellAt: number
  /** At least five wallets hold this much: a wallet with less is not in the top 5. 0: unknown. */
  topFloorUnits: Amount
  /** Quote that the dev set spent in the create slot. */
  devBuyQuoteUnits: Amount
  /** Coins that the dev set ever received. */
  devBoughtUnits: Amount
  /** Coins that the dev set ever sold. */
  devSoldUnits: Amount
  /** Unix seconds; 0 none. */
  devFirstSellAt: number
  /** Coins of the first sell of the dev set. */
  devFirstSellUnits: Amount
  /** Quote received for these coins without fees; -1 if it was another quote than the curve's. */
  devFirstSellQuoteUnits: Amount
  /** Unix seconds at which the dev dump of the outcome rule was met; 0: not met. */
  devDumpAt: number
  /** The dev set bought the curve out within the create slot. */
  selfGraduated: boolean
  /** Wallets outside the dev set that bought in the create slot. */
  bundleWallets: number
  /** Coins that these wallets bought in the create slot. */
  bundleBoughtUnits: Amount
  /** Of these, coins sold again, per wallet at most what it bought in the create slot. */
  bundleSoldUnits: Amount
  /** Unix seconds; 0 open. */
  completeAt: number
  /** Unix seconds; 0 not migrated. */
  migratedAt: number
  /** Unix seconds at which the drain of the outcome rule was met; 0: not met. */
  drainAt: number
  /** Flags that fired, by the bits that their detectors declare. */
  flagBits: number
  /** Flags of shadow detectors that fired, by their bits. */
  shadowBits: number
  /** Last number of the newest gap that touched the mint; -1 none. */
  gapNumber: number
  /** 0 no gap, 1 gap not cleared, 2 cleared by a later trade that is consistent with the reserves (holders stay unknown), 3 inconsistent: permanently thin, 4 a trade is inconsistent although no gap is known: permanently thin. */
  gapTrades: number
  /** First number of that gap; -1 none. */
  gapFrom: number
  /** The call without its event that is this gap; null for frames that were not delivered. */
  gapCall: null | string
  /** Pool of the migration. */
  pool: null | Key
  /** Tick time, unix seconds, of the newest change without an event of the curve: coins that moved without a trade, an answer about funding, the settlement; 0 none. */
  lastMoveAt: number
}

/** One wallet of the mint. */
export interface HolderRow {
  wallet: Key
  /** Coins held, base units; negative if it sold coins whose receipt was not observed. */
  units: Amount
  /** Coins bought in the create slot by a wallet outside the dev set. */
  bundleUnits: Amount
  /** Of these, sold again. */
  bundleSoldUnits: Amount
  /** Slot of the first buy; -1 never bought. */
  firstBuyNumber: number
  /** Transaction of the first buy; -1 never bought. */
  firstBuyTx: number
  /** Unix seconds; 0 never bought. */
  lastBuyAt: number
  /** Bits: 1 dev set, 2 bundle, 4 bought in the create transaction (insider rule c), 8 received coins without a trade before completion (rule a), 16 funded by the creator or its funder (rule b). */
  roles: number
  /** The owner that first transferred coins to it without a trade, if it was a single one. */
  givenBy: null | Key
  /** The wallet that paid it SOL in the 30 minutes before its first buy: the creator or its funder if one of them did, else the newest payer. */
  funder: null | Key
}

/** Trades of one second, the agent left out. */
export interface FlowRow {
  /** second % 60. */
  slot: number
  /** Unix seconds of the bucket. */
  second: number
  buys: number
  sells: number
  /** Quote in less quote out, without fees. */
  netQuoteUnits: Amount
}

/** A finding as the card shows it. */
export interface FlagRow {
  flag: string
  findingId: string
  detector: string
  detectorVersion: number
  /** SHA-256 over code and constants of the detector, hex; null if it is not registered, or if the finding is older than these hashes. */
  detectorHash: null | string
  number: number
  tx: number
  outer: number
  inner: number
  /** Block time of the causing event, unix seconds. */
  firstSeenAt: number
  /** JSON object. */
  evidence: string
}

/** One such trade. */
export interface ProofRow {
  /** Counts the rows of the list, from 0. */
  n: number
  number: number
  tx: number
  outer: number
  inner: number
  /** First 8 characters of the block's hash. */
  hash8: string
}

/** One change of the creator. */
export interface CreatorChangeRow {
  /** Counts the rows of the list, from 0. */
  n: number
  creator: Key
  kind: string
  number: number
  tx: number
  outer: number
  inner: number
  /** Unix seconds. */
  at: number
}

/** What became of the launch. */
export interface OutcomeRow {
  /** Migration or tick at which it settled, unix seconds. */
  settledAt: number
  /** migrated or quiet. */
  cause: string
  graduated: null | boolean
  rugged: null | boolean
  /** drain or dev_dump. */
  rugKind: null | string
  /** Seconds from launch to the rug. */
  rugDtS: null | number
  /** Curve reserve at the settlement; -1 unknown. */
  terminalQuoteUnits: Amount
  /** Why there is no label: gap or quote_not_sol. */
  censored: null | string
  /** First trade after the settlement, unix seconds. */
  reopenedAt: null | number
  /** Running peak of the real quote reserve; this field and those below are as of the settlement. */
  peakQuoteUnits: Amount
  /** Seconds from launch to the first sell of the dev set. */
  devFirstSellDtS: null | number
  /** Quote that the dev set had spent in the create slot. */
  devBuyQuoteUnits: Amount
  /** Curve and pool trades without the agent's. */
  trades: number
  /** Wallets that had bought. */
  buyers: number
  /** True if an earlier event named it a mayhem curve. */
  mayhem: boolean
  /** The dev set bought the curve out within the create slot. */
  selfGraduated: boolean
}

/** A removed mint. */
export interface StubRow {
  reason: string
  /** Unix seconds. */
  launchAt: null | number
  lastNumber: number
  /** Unix seconds. */
  forgottenAt: number
  /** Flags that had fired, comma-separated. */
  flags: string
  /** The outcome record as JSON. */
  outcome: null | string
  /** Untrusted text. */
  name: null | string
  /** Untrusted text. */
  symbol: null | string
  /** As the launch named it. */
  creator: null | Key
  /** Member of the dev set whose record the card had shown; the caller of create where none was known. */
  launcher: null | Key
}

/** Fires at the first tick at or after due. */
export interface TimerRow {
  name: string
  /** Unix seconds. */
  due: number
}

/** Record of the member of the dev set with the most earlier launches, as of the position of the launch: launches that settle later do not count. */
export interface PriorRow {
  launches: number
  /** Of these, launches that had settled with both labels. */
  resolved: number
  /** Of the resolved. */
  graduated: number
  /** Of the resolved. */
  rugged: number
  /** Median seconds from launch to the first sell of the dev set, of the resolved in which it sold. */
  medianDevSellS: null | number
  /** Unix seconds: nothing before is known. */
  observedSince: number
  /** The wallet whose record it is. */
  of: null | Key
  /** Members of the dev set that have not answered yet: the record counts as unknown until it is 0. */
  waits: number
}

/** One pool with the reserves from its events. Other side: the pool's token that is not the coin; its reserve includes the virtual part. */
export interface PoolRow {
  pool: Key
  /** The other side; null means SOL. */
  quoteMint: null | Key
  coinIsBase: boolean
  /** Other side after opening. */
  openingQuoteUnits: Amount
  /** Other side after the newest event, real and virtual; may be negative. */
  quoteUnits: Amount
  /** The virtual part of quoteUnits (boost). */
  virtualQuoteUnits: Amount
  /** Coins after the newest event. */
  tokenUnits: Amount
  /** Without the launchpad's own. */
  trades: number
  /** Times that the launchpad bought coins from its boost vault and burnt them. */
  boosts: number
  /** What it paid for them in all. */
  boostQuoteUnits: Amount
  /** The coins burnt in all. */
  boostTokenUnits: Amount
  /** Unix seconds. */
  openedAt: number
  /** Unix seconds of the newest event. */
  lastAt: number
  /** Slot of the opening. */
  number: number
  tx: number
  outer: number
  inner: number
  /** First 8 characters of the hash of that slot's block. */
  hash8: string
}

/** One step. */
export interface StepRow {
  /** Status that it led to: curve_complete, migrated_graduated or migrated_below_grad. */
  step: string
  number: number
  tx: number
  outer: number
  inner: number
  /** First 8 characters of the block's hash. */
  hash8: string
  /** Unix seconds. */
  at: number
}

/** The creator's answer. */
export interface WarmRow {
  /** The newest payer; null if none was observed. Then the others, newest first. */
  funder: null | Key
  funder2: null | Key
  funder3: null | Key
  funder4: null | Key
  /** Amount of the newest payment; 0 none. */
  amountLamports: Amount
  /** Time of the newest payment, unix seconds; 0 none. */
  at: number
  /** Slot of the newest payment; -1 none. */
  number: number
  tx: number
  outer: number
  inner: number
  /** Unix seconds: nothing before is known. */
  observedSince: number
  /** Launches of the newest funder itself; -1 until the funder has answered. */
  priorLaunches: number
  priorResolved: number
  priorRugged: number
}

/** One buyer. */
export interface WaitingRow {
  wallet: Key
  /** Its funders, newest first. */
  funder: null | Key
  funder2: null | Key
  funder3: null | Key
  funder4: null | Key
}

/** The smallest holders of a coin with very many wallets, merged into one row. */
export interface FoldedRow {
  /** Wallets that held coins when they were merged; a wallet that returns may be counted again. */
  wallets: number
  /** Coins that these wallets hold, base units. */
  units: Amount
  /** Of these, coins of wallets that were insiders when they were merged. */
  insiderUnits: Amount
}

/** One record of the topics flags, outcomes, judgements and odds: the output of a processor at a position. */
export interface Conclusion {
  /** By kind. Finding, shadow finding: position@hash8:detector:mint. Outcome, transition, shape, judgement: position@hash8:processor:mint:n; n is 0 for an outcome, 1 for a completion, 2 for a migration, 3 for a shape, 4 for a judgement. Odds: position@hash8:odds:mint:head:model. Role: position@hash8:role:wallet:mint. Retraction: tick@hash8:retraction:partition:sequence. Revision: id of the corrected conclusion and :revision:n. */
  id: string
  chain: Chain
  number: number
  tx: number
  outer: number
  inner: number
  hash8: string
  /** Block time of the causing event or tick, unix seconds. */
  at: number
  body: Finding | Outcome | Retraction | Revision | Transition | Role | ShadowFinding | LaunchShape | Judgement | Odds
}

/** A detector's evidence. */
export interface Finding {
  type: 'finding'
  mint: Key
  creator: null | Key
  /** Name of the flag (the mechanism). */
  flag: string
  detector: string
  detectorVersion: number
  /** SHA-256 over code and constants of the detector, hex; null for a detector that is not registered, and for findings older than these hashes. */
  detectorHash: null | string
  /** Age of the mint at the flag, seconds. */
  mintAgeS: null | number
  /** JSON object; its shape per flag is in /v1/labels. */
  evidence: string
  /** Ids (position@hash8) of the events that prove the finding, causing event last. */
  events: string[]
}

/** What became of a launch: settled once. */
export interface Outcome {
  type: 'outcome'
  mint: Key
  creator: Key
  /** Launch, unix seconds. */
  t0: number
  slot0: number
  graduated: null | boolean
  rugged: null | boolean
  rugKind: null | string
  rugDtS: null | number
  peakQuoteUnits: Amount
  terminalQuoteUnits: Amount
  /** Null stands for SOL (ETH on the alt chain). */
  quoteMint: null | Key
  devFirstSellDtS: null | number
  devBuyQuoteUnits: Amount
  trades: number
  buyers: number
  mayhem: boolean
  selfGraduated: boolean
  censored: null | string
}

/** A fork reverted the frame: all earlier records of this number and hash8 in this partition are retracted. A later record of the same id is valid again. */
export interface Retraction {
  type: 'retraction'
  /** Capture's number of the revert. */
  sequence: number
}

/** A rebuild of the stores gave another result than the earlier record. It has the position of the conclusion that it corrects, so it is out of order. */
export interface Revision {
  type: 'revision'
  /** Number of the rebuild. */
  revision: number
  /** The Conclusion that is withdrawn, in Avro; null if this id had none. */
  withdrawn: null | Uint8Array
  /** The Conclusion that is valid now, in Avro; null if there is none. */
  said: null | Uint8Array
}

/** A step in the lifecycle of a curve whose launch was observed; each at most once. On the topic outcomes, although it is not an outcome. */
export interface Transition {
  type: 'transition'
  mint: Key
  creator: Key
  /** Launch, unix seconds. */
  t0: number
  slot0: number
  /** Status after it: curve_complete, migrated_graduated or migrated_below_grad. */
  step: string
  /** Whether the curve was observed at 84 SOL or above; null where it is not paired with SOL, or trades may be missing. */
  graduated: null | boolean
  /** Highest real reserve of the curve so far. */
  peakQuoteUnits: Amount
  /** Null stands for SOL (ETH on the alt chain). */
  quoteMint: null | Key
  /** Pool of a migration; null for other steps. */
  pool: null | Key
}

/** The role of a wallet in an observed launch: once per mint, wallet and role. On the topic outcomes, although it is not an outcome. */
export interface Role {
  type: 'role'
  mint: Key
  wallet: Key
  /** dev, bundle, or insider_a, insider_b, insider_c by the rule it met. */
  role: string
  /** Rule a: the owner who transferred the coins, if it was a single one. Rule b: the payer. Else null. */
  counterpart: null | Key
  /** Launch, unix seconds. */
  t0: number
  slot0: number
}

/** A finding of a shadow detector: graded, but on no card. On the topic outcomes, although it is not an outcome. */
export interface ShadowFinding {
  type: 'shadowFinding'
  mint: Key
  creator: null | Key
  /** Name of the flag (the mechanism). */
  flag: string
  detector: string
  detectorVersion: number
  /** As in Finding. */
  detectorHash: null | string
  /** Age of the mint at the flag, seconds. */
  mintAgeS: null | number
  /** JSON object; its shape is the detector's. */
  evidence: string
  /** Ids (position@hash8) of the events that prove the finding, causing event last. */
  events: string[]
}

/** What was known of an observed launch at the end of its create slot; written once, when the dev set's record as of the launch is known. On the topic outcomes, although it is not an outcome. */
export interface LaunchShape {
  type: 'shape'
  mint: Key
  /** Launch, unix seconds. */
  t0: number
  slot0: number
  mayhem: boolean
  /** Null stands for SOL (ETH on the alt chain). */
  quoteMint: null | Key
  /** Quote that the dev set spent in the create slot. */
  devBuyQuoteUnits: Amount
  /** Wallets outside the dev set that bought in the create slot. */
  bundleWallets: number
  /** Owner of the record: the member of the dev set with the most earlier launches. */
  priorOf: Key
  /** Launches of that member before this one. */
  priorLaunches: number
  /** Of these, launches that had settled with both labels. */
  priorResolved: number
  /** Of the resolved. */
  priorGraduated: number
  /** Of the resolved. */
  priorRugged: number
  /** Unix seconds: nothing earlier is known. */
  priorObservedSince: number
}

/** The inputs of the odds models for one launch at one age, on the topic judgements. Only for an observed launch on an open SOL curve without a gap. Integers only, so that the same rows give the same bytes. */
export interface Judgement {
  type: 'judgement'
  mint: Key
  /** Launch, unix seconds. */
  t0: number
  slot0: number
  /** Scheduled age, seconds: one of JUDGED_AGES_S. The tick that judges is the first at or after it. */
  ageS: number
  /** Real reserve of the curve. */
  realQuoteUnits: Amount
  /** Running peak of that reserve. */
  peakQuoteUnits: Amount
  buys: number
  sells: number
  /** Wallets that ever bought. */
  uniqueBuyers: number
  /** Buys of the last 60 s. */
  buys60: number
  /** Sells of the last 60 s. */
  sells60: number
  /** Quote in minus quote out, in the last 60 s. */
  net60QuoteUnits: Amount
  /** Wallets that bought in the last 60 s. */
  uniqueBuyers60: number
  /** Seconds since the newest buy; null before the first. */
  lastBuyAgeS: null | number
  /** Seconds since the newest buy by a wallet that had never bought before; null before the first buy. */
  lastNewBuyerAgeS: null | number
  /** Wallets that hold the coin. */
  holders: number
  /** Largest holder, the curve excluded. */
  top1Units: Amount
  /** Largest five holders together. */
  top5Units: Amount
  /** Sum of squared shares of circulating coins, millionths, rounded down. */
  hhiPpm: number
  /** Held by the dev set. */
  devUnits: Amount
  /** Held by bundle wallets. */
  bundleUnits: Amount
  /** Held by insiders. */
  insiderUnits: Amount
  /** Held by wallets. */
  circulatingUnits: Amount
  /** Total supply. */
  supplyUnits: Amount
  /** Quote that the dev set spent in the create slot. */
  devBuyQuoteUnits: Amount
  /** Coins that the dev set ever received. */
  devBoughtUnits: Amount
  /** Coins that the dev set ever sold. */
  devSoldUnits: Amount
  bundleWallets: number
  /** Bought in the create slot by bundle wallets. */
  bundleBoughtUnits: Amount
  /** Of these, sold again. */
  bundleSoldUnits: Amount
  /** Flags that fired, by the bits that their detectors declare. */
  flagBits: number
  mayhem: boolean
  /** Earlier launches of the member of the dev set that has the most, as of this launch; null until the whole dev set has answered. */
  priorLaunches: null | number
  priorResolved: null | number
  /** Of the resolved. */
  priorGraduated: null | number
  /** Of the resolved. */
  priorRugged: null | number
  /** Newest payment to the creator in the 30 minutes before the launch, lamports; 0 if there was none; null until the creator has answered. */
  warmQuoteUnits: null | Amount
  /** Seconds from that payment to the launch; null without a payment. */
  warmBeforeS: null | number
  /** Launches of the newest funder itself; null if there is no funder, or until it has answered. */
  funderLaunches: null | number
  funderResolved: null | number
  funderRugged: null | number
}

/** A probability that a model gave a judgement, on the topic odds, at the position of the judgement. */
export interface Odds {
  type: 'odds'
  mint: Key
  /** Launch, unix seconds. */
  t0: number
  /** Scheduled age of the judgement, seconds. */
  ageS: number
  head: 'rug_within_300s' | 'true_graduation'
  /** Probability, millionths: 0 to 1000000. */
  ppm: number
  /** Id of the model. */
  model: string
  /** Id of the judgement. */
  judgement: string
  /** SHA-256 of the body of the judgement in Avro, hex. */
  inputsHash: string
  /** True while the model is on trial: its odds are graded but not shown. */
  shadow: boolean
}

/** A record that could not be decoded or applied, and the reason. */
export interface DeadLetter {
  /** position@hash8:processor:n */
  id: string
  /** Text form of the source position. */
  position: string
  hash8: string
  /** Processor that failed on it. */
  processor: string
  version: number
  /** Closed list, see schemas/errors.ts. */
  code: string
  /** One sentence with the facts. */
  reason: string
  /** Transaction, base58. */
  signature: null | string
  /** The raw bytes. */
  bytes: Uint8Array
  /** Why the dead letter of this id is withdrawn; null while it is valid. A later record of the same id is valid again. */
  withdrawn: null | string
  /** Number of the rebuild that wrote it, out of order; 0: written in order by the processor. */
  revision: number
}

/** Progress of the decoder of a chain: one row. */
export interface DecodeState {
  tip: null | TipRow
  timers: TimerRow[]
}

/** The newest frame decoded. */
export interface TipRow {
  number: number
  hash: string
  /** Tick time, unix seconds. */
  time: number
  /** First number of the newest gap. */
  gapFrom: null | number
  /** Last number of the newest gap. */
  gapTo: null | number
  /** Tick time of the frame that showed the newest gap, unix seconds. */
  gapUntil: null | number
  /** Reason of the newest gap as the source reported it; null if it reported none. */
  gapReason: null | string
  /** Tick time of the first frame, unix seconds. */
  firstTime: number
  /** Gaps seen. */
  gaps: number
  frames: number
  events: number
  deadLetters: number
  /** Calls of the launchpad without the event that they always emit. */
  missingEvents: number
  /** Tick time, unix seconds, since which no call of the launchpad has had its event; null while events arrive. */
  blindSince: null | number
  /** Tick time, unix seconds, of the newest frame whose events were taken from logs, because inner calls were not recorded. */
  callsUnseenAt: null | number
  /** Events with unknown bytes behind their newest known layout, as JSON: a list of [event, number of bytes, first number]. */
  newLayouts: string
}

/** Progress of the alt chain's decoder, and the contracts that it treats as the launchpad's. */
export interface AltDecodeState {
  tip: null | TipRow
  contracts: AltContractRow[]
  queue: null | AltQueueRow
  timers: TimerRow[]
}

/** A curve or a token that a factory announced: a row for each of the two. */
export interface AltContractRow {
  /** Address of the curve, or of the token. */
  address: Key
  /** The token. */
  mint: Key
  /** Its curve. */
  bondingCurve: Key
  /** Pair token; null means ETH. */
  quoteMint: null | Key
  /** In the token's row: tick time of an event of the curve, unix seconds, at most an hour before the curve's newest event. 0 in the curve's row. */
  seenAt: number
  /** In the token's row: tick time at which the token joined the queue, unix seconds. 0 in the curve's row. */
  queuedAt: number
  /** In the token's row: the token that joined the queue after it. */
  next: null | Key
}

/** Linked list of all tokens, in the order in which the decoder checks whether to remove them. */
export interface AltQueueRow {
  oldest: null | Key
  newest: null | Key
}

/** Position of a fold task, keyed by the task's id and written with each of its commits. */
export interface Progress {
  task: string
  chain: Chain
  /** Newest slot or block folded. */
  number: number
  /** First 8 characters of its hash. */
  hash8: string
  /** Its tick time, unix seconds. */
  time: number
  /** First number of the newest gap seen. */
  gapFrom: null | number
  /** Last number of that gap. */
  gapTo: null | number
  /** Frames up to this number are confirmed; null if the source does not report confirmations: its frames then never change their status. */
  confirmed: null | number
  /** Frames up to this number are final: no fork reverts them; null as above. */
  finalized: null | number
  /** Reverts folded so far. */
  forks: number
}

/** One record of the topic exchange, in the partition of the task that writes it: its messages to all partitions, of the epochs that it closed in one commit (closings). Records without closings have an older layout: the messages of a task to the keys of the partition that holds the record. */
export interface ExchangeBatch {
  chain: Chain
  /** Partition of the task that writes it. */
  writer: number
  /** The closed epoch: number of its frames / frames per epoch, rounded down. */
  epoch: number
  /** Capture's number of the frame that closed the epoch; distinguishes batches of an orphaned branch from those of the canonical one. */
  closedBy: number
  /** Ordered by sending position, sending processor, sending key, n. */
  facts: Fact[]
  /** Epochs closed before the epoch above in the same commit, in the order of closing. */
  earlier: ExchangeEpoch[]
  /** Epochs that the writer closed in one commit, in the order of closing, with its messages to every partition. If there are any, the record is in the writer's own partition, epoch and closedBy above are -1, and facts and earlier are empty. */
  closings: ExchangeClosing[]
  /** True: a rebuild begins here; earlier messages of the writer in this partition were made by other versions and are never applied. */
  cut: boolean
}

/** A message to another key: a question, an answer or a notification. */
export interface Fact {
  /** Position at which it was sent. */
  number: number
  tx: number
  outer: number
  inner: number
  /** Sending processor. */
  from: string
  /** Its key. */
  fromKey: Key
  /** Counts the messages that this key sent at this position. */
  n: number
  /** Receiving processor. */
  to: string
  /** Its key. */
  toKey: Key
  body: LaunchFact | OutcomeFact | PriorFact | FundingAsked | Funded | FunderAsked | FunderPrior
}

/** mint -> each member of its dev set: a launch; requests the priors as of its position. */
export interface LaunchFact {
  type: 'launched'
  /** Unix seconds. */
  at: number
}

/** mint -> each member of its dev set: what became of a launch. */
export interface OutcomeFact {
  type: 'settled'
  graduated: null | boolean
  rugged: null | boolean
  devFirstSellDtS: null | number
  devBuyQuoteUnits: Amount
  /** Time in the launch event, unix seconds. */
  launchedAt: number
  /** Unix seconds. */
  settledAt: number
  /** Seconds from launch to the rug. */
  rugDtS: null | number
  peakQuoteUnits: Amount
  /** Quote of the curve; null stands for SOL. */
  quoteMint: null | Key
  /** Why a label is null. */
  censored: null | string
  selfGraduated: boolean
}

/** creator -> mint: the wallet's record as of the position of the launch. */
export interface PriorFact {
  type: 'prior'
  launches: number
  resolved: number
  graduated: number
  rugged: number
  /** Median seconds from launch to the first sell of the dev set, over resolved launches in which it sold. */
  medianDevSellS: null | number
  /** Unix seconds: nothing before is known. */
  observedSince: number
}

/** mint -> wallet: the wallet launched the mint, or bought it for the first time; requests the payments that the wallet had received before. */
export interface FundingAsked {
  type: 'fundingAsked'
  /** Unix seconds. */
  at: number
  /** True: the wallet is the creator; it always answers, and requests its newest funder's own record. False: a buyer, which answers only if it has payments. */
  launched: boolean
}

/** wallet -> mint: the payments of at least 0.1 SOL that the wallet received in the 30 minutes before the position of the request. */
export interface Funded {
  type: 'funded'
  /** launched of the request. */
  launched: boolean
  /** Unix seconds: nothing before is known. */
  observedSince: number
  /** The newest of each funder, newest first, at most 4. */
  payments: Payment[]
}

/** SOL paid to a wallet. */
export interface Payment {
  funder: Key
  amountLamports: Amount
  /** Tick time, unix seconds. */
  at: number
  number: number
  tx: number
  outer: number
  inner: number
}

/** wallet -> its newest funder, as a creator: the funder paid the creator of a mint; requests the funder's own launches. */
export interface FunderAsked {
  type: 'funderAsked'
  /** Mint that receives the answer. */
  mint: Key
  /** Unix seconds of the launch. */
  at: number
  /** Position of the launch. */
  number: number
  tx: number
  outer: number
  inner: number
}

/** creator -> mint: the launches of the funder of the mint's creator, as of the position of the launch. */
export interface FunderPrior {
  type: 'funderPrior'
  launches: number
  resolved: number
  rugged: number
}

/** Messages of one epoch. */
export interface ExchangeEpoch {
  epoch: number
  /** As above. */
  closedBy: number
  /** As above. */
  facts: Fact[]
}

/** Messages of one task to all others at the end of one epoch. */
export interface ExchangeClosing {
  epoch: number
  /** As above. */
  closedBy: number
  /** By receiving partition; without partitions that receive nothing. */
  parts: ExchangePart[]
}

/** Messages to the keys of one partition. */
export interface ExchangePart {
  partition: number
  /** Avro of an array of Fact; other partitions skip it. */
  facts: Uint8Array
}

/** A task's own rows: its position, and the undo of frames that are not final. Keyed by the task's id. The undo of the frames of one commit is keyed by id/undo/sequence, with the sequence of the first of these frames, in pages. */
export interface TaskState {
  cursor: null | CursorRow
  standing: null | StandingRow
  closings: ClosingRow[]
  unsent: UnsentRow[]
  /** Always empty: a task has no timers of its own. */
  timers: TimerRow[]
  /** Undo of one frame, as older versions wrote it: one record per frame. */
  undo: null | UndoPage
  /** Undo of the frames of one commit, oldest first. */
  undoFrames: UndoPage[]
}

/** The newest frame folded on the canonical branch. */
export interface CursorRow {
  /** Capture's number of the frame. */
  sequence: number
  number: number
  hash8: string
  /** Tick time, unix seconds. */
  time: number
  /** gapFrom of the frame's batch. */
  gapFrom: null | number
  /** gapTo of the frame's batch. */
  gapTo: null | number
  /** Messages emitted so far: the number of the next row in unsent. */
  facts: number
  /** Tick time of the first frame folded, unix seconds; 0 before the first frame. */
  since: number
}

/** Finality of the frames folded. */
export interface StandingRow {
  /** Frames up to this number are confirmed. */
  confirmed: null | number
  /** Frames up to this number are final: no fork reverts them. */
  finalized: null | number
  /** Reverts folded. */
  forks: number
}

/** An epoch that ended and whose messages are not applied yet, or were applied by a frame that a fork may revert. */
export interface ClosingRow {
  /** Capture's number of the first frame after the epoch. */
  closedBy: number
  /** The messages apply at the first frame after closedBy whose number is this or higher. */
  dueNumber: number
  /** Capture's number of the frame that applied them; 0 if none has. */
  appliedBy: number
}

/** A message of the open epoch, not sent yet. */
export interface UnsentRow {
  /** Counts the messages of the task, in the order in which they were emitted. */
  n: number
  /** Avro of Fact in exchange.avsc. */
  fact: Uint8Array
}

/** Rows as they were before a frame; a frame that changed many rows has several pages. */
export interface UndoPage {
  sequence: number
  number: number
  hash8: string
  /** Tick time of the frame, unix seconds. */
  time: number
  /** The frame folded before this one; null if there was none. */
  parentNumber: null | number
  /** Empty if there was none. */
  parentHash8: string
  /** Topics to which the frame sent conclusions. */
  topics: string[]
  before: UndoRows[]
}

/** Rows of one aggregate. */
export interface UndoRows {
  /** Processor that owns the rows; empty for the task's own rows. */
  store: string
  key: Uint8Array
  /** Avro of the store's own schema. */
  rows: Uint8Array
  absent: AbsentRow[]
}

/** A row that did not exist before the frame. */
export interface AbsentRow {
  kind: string
  /** Null for kinds with one row. */
  id: null | number | string
}

/** All rows of one creator (of one deployer on the alt chain): its newest launches one by one, and counts of its launches of 90 days by UTC day. */
export interface CreatorState {
  /** The newest 25 launches. */
  launches: CreatorLaunchRow[]
  /** Counts by the UTC day of the launch; the first launch of a day deletes the days more than 91 days before it. */
  days: CreatorDayRow[]
  /** First sells of the dev set in the newest 1,000 resolved launches in which it sold; the oldest is overwritten. */
  sells: CreatorSellRow[]
  /** The newest 32 changes of the counts of launches and outcomes: an answer subtracts those after its position, a few slots back. */
  changes: CreatorCountRow[]
  /** Running figures. */
  figures: null | CreatorFiguresRow
  /** Timers that wait; the engine's own rows. */
  timers: TimerRow[]
}

/** A launch, and what became of it once it settled. */
export interface CreatorLaunchRow {
  mint: Key
  /** Slot or block of the launch. */
  number: number
  tx: number
  outer: number
  inner: number
  /** Unix seconds. */
  at: number
  /** Unix seconds; null while the launch is open: the fields from graduated on have no meaning then. */
  settledAt: null | number
  graduated: null | boolean
  rugged: null | boolean
  /** Seconds from launch to the rug. */
  rugDtS: null | number
  peakQuoteUnits: Amount
  /** Quote of the curve; null means SOL (ETH on the alt chain). */
  quoteMint: null | Key
  /** Why a label is null: gap or quote_not_sol. */
  censored: null | string
  selfGraduated: boolean
}

/** All launches of one UTC day. */
export interface CreatorDayRow {
  /** Days since 1970-01-01. */
  day: number
  launches: number
  /** Settled with both labels. */
  resolved: number
  /** Of the resolved. */
  graduated: number
  /** Of the resolved. */
  rugged: number
  /** Base units of SOL (ETH on the alt chain) that the dev sets of settled launches spent in the create slots; launches with another quote add nothing. */
  devBuyLamports: Amount
}

/** The first sell of the dev set in one of these launches. */
export interface CreatorSellRow {
  /** Number of the sell % 1,000. */
  slot: number
  /** UTC day of the launch, days since 1970-01-01. */
  day: number
  /** Seconds from launch to the sell. */
  dtS: number
}

/** One launch or one outcome. */
export interface CreatorCountRow {
  /** Number of the change % 32. */
  slot: number
  /** Position at which the message about it was sent. */
  number: number
  tx: number
  outer: number
  inner: number
  launches: number
  resolved: number
  rugged: number
}

/** Changed by each message about a launch or an outcome. */
export interface CreatorFiguresRow {
  /** Position at which the newest such message was sent. */
  number: number
  tx: number
  outer: number
  inner: number
  /** Unix seconds of the newest launch. */
  lastLaunchAt: number
  /** Number of sells counted. */
  sells: number
  /** Number of changes of the counts. */
  changes: number
}

/** All rows of one wallet: its newest SOL payments. All are deleted 32 minutes after the newest payment. */
export interface WalletState {
  /** The newest 16 payments. */
  payments: PaymentRow[]
  /** Figures of all its payments. */
  figures: null | WalletFiguresRow
  /** Timers that wait; the engine's own rows. */
  timers: TimerRow[]
}

/** SOL paid to the wallet, at least 0.1. */
export interface PaymentRow {
  /** Number of the payment % 16. */
  n: number
  funder: Key
  amountLamports: Amount
  /** Tick time, unix seconds. */
  at: number
  number: number
  tx: number
  outer: number
  inner: number
}

/** Number of payments and time of the newest. */
export interface WalletFiguresRow {
  /** Payments since the wallet's rows were last deleted. */
  payments: number
  /** Time of the newest payment, unix seconds. */
  lastAt: number
}

/** All rows of one curve, keyed by its token, as one record of the changelog (pages beyond 64 KB). A nullable record is a row of which a curve has one; an array holds rows of which it has many, identified by the field named in rowId. */
export interface CurveState {
  /** Facts of the launch. */
  launch: null | CurveLaunchRow
  /** Running figures of the curve. */
  figures: null | CurveFiguresRow
  /** A wallet that ever held or traded the token; zero balances stay, they are past buyers. */
  holders: CurveHolderRow[]
  /** Trades of one block; rows of blocks older than the longest window are deleted when a new block begins. */
  flows: BlockFlowRow[]
  /** Buys by route. */
  routes: RouteRow[]
  /** A flag that fired: once per curve. */
  flags: FlagRow[]
  /** Steps of the lifecycle that were seen, at most two. */
  steps: StepRow[]
  /** The settled outcome; the first settlement is final. */
  outcome: null | CurveOutcomeRow
  /** Record of the deployer before this launch; absent until its answer arrives. */
  prior: null | DeployerPriorRow
  /** Sum over the wallets that have no row of their own. */
  folded: null | CurveFoldedRow
  /** What is kept of a removed curve for a day. */
  stub: null | CurveStubRow
  /** Timers that wait; the engine's own rows. */
  timers: TimerRow[]
}

/** Set at launch; only exemptions change. */
export interface CurveLaunchRow {
  /** Block of the launch. */
  number: number
  tx: number
  outer: number
  inner: number
  /** First 8 characters of the block's hash. */
  hash8: string
  /** Hash of the transaction. */
  signature: Signature
  /** Tick time of the block, unix seconds. */
  at: number
  /** The curve contract. */
  curve: Key
  /** Named by the launch. */
  deployer: Key
  /** The wallet that launched through the launch router; null if the factory was called in another way. */
  launcher: null | Key
  /** direct, the name of the router that was called, or other. */
  route: string
  /** Pair token; null means the native unit of the chain. */
  quoteMint: null | Key
  /** Decimals of the pair; null where they are not known. */
  quoteDecimals: null | number
  /** Why quoteDecimals is null. */
  quoteDecimalsReason: null | string
  /** Real quote at which the curve is full, base units of the pair. */
  thresholdUnits: Amount
  /** Initial virtual quote reserve, base units of the pair. */
  virtualQuoteUnits: Amount
  /** Total supply, base units. */
  supplyUnits: Amount
  /** Number of accounts exempted from the snipe tax, by the launch or later. */
  exemptions: number
  /** The importer vouched for the frame of the launch. */
  vouched: boolean
}

/** Changed by every event. Amounts are base units: of the pair for quote, of the token for tokens. */
export interface CurveFiguresRow {
  /** Block of the newest event of the curve itself. */
  lastNumber: number
  lastTx: number
  lastOuter: number
  lastInner: number
  /** Unix seconds of that event. */
  lastAt: number
  /** Tick time, unix seconds, of the newest change without an event of the curve: tokens that moved, an answer about the deployer, the settlement; 0 none. */
  lastMoveAt: number
  /** Real quote reserve, summed from the events; once completed, the reserve at completion. */
  realQuoteUnits: Amount
  /** Token reserve, summed from the events; once completed, the reserve at completion. */
  tokenUnits: Amount
  /** Highest real quote reserve. */
  peakQuoteUnits: Amount
  /** Block of the peak; -1 before the first trade. */
  peakNumber: number
  peakTx: number
  peakOuter: number
  peakInner: number
  /** First 8 characters of the hash of the peak's block. */
  peakHash8: string
  /** Hash of the transaction of the peak. */
  peakSignature: null | Signature
  buys: number
  sells: number
  /** Buys of wallets that called the curve themselves. */
  directBuys: number
  /** Buys through terminals. */
  terminalBuys: number
  /** Buys whose wallet is known. */
  resolvedBuys: number
  /** Known wallets that bought. */
  uniqueBuyers: number
  /** Known wallets that sold. */
  uniqueSellers: number
  /** What buyers paid, fees and taxes included. */
  buyQuoteUnits: Amount
  /** What sellers received, after fees and taxes. */
  sellQuoteUnits: Amount
  /** Buys that paid the snipe tax. */
  taxedBuys: number
  /** Snipe tax that these buys paid. */
  taxUnits: Amount
  /** Number of times that the curve bought its own tokens and locked them, or a contract of the launchpad bought them. */
  buybacks: number
  /** Tokens that the curve bought and locked. */
  lockedUnits: Amount
  /** Block of the first buy; -1 none. */
  firstBuyNumber: number
  /** Unix seconds; 0 none. */
  firstBuyAt: number
  /** Block of the newest trade; -1 none. */
  lastTradeNumber: number
  /** Unix seconds; 0 none. */
  lastTradeAt: number
  /** Tokens that left the curve according to its events: bought, locked, transferred at the end. */
  outUnits: Amount
  /** Tokens that returned to the curve according to its events. */
  inUnits: Amount
  /** Tokens that transfers moved out of the curve: less than outUnits where transfers are missing. */
  movedOutUnits: Amount
  /** Tokens that transfers moved into the curve. */
  movedInUnits: Amount
  /** Block of the newest direct buy; -1 none. */
  directNumber: number
  /** Number of direct buys in that block. */
  directInBlock: number
  /** Wallet of the first of these buys. */
  directFirst: null | Key
  /** Most direct buys in one block. */
  maxDirectBuys: number
  /** Wallets that bought directly in a block with two or more direct buys. */
  clusterWallets: number
  /** Tokens that the deployer ever received, by transfers. */
  deployerInUnits: Amount
  /** Tokens that left the deployer, by transfers, sales included. */
  deployerOutUnits: Amount
  /** The deployer's first transfer to another wallet, unix seconds; 0 none. */
  deployerSentAt: number
  /** What the deployer paid for buys in the block of the launch. */
  deployerBuyQuoteUnits: Amount
  /** Tokens that the deployer bought on the curve. */
  deployerBoughtUnits: Amount
  /** Tokens that the deployer sold on the curve. */
  deployerSoldUnits: Amount
  /** Number of its sells on the curve. */
  deployerSells: number
  /** Unix seconds; 0 none. */
  deployerFirstSellAt: number
  /** Tokens of that first sell. */
  deployerFirstSellUnits: Amount
  /** Quote received for these tokens. */
  deployerFirstSellQuoteUnits: Amount
  /** Unix seconds at which it had sold half of the tokens that it ever received; 0: not yet. */
  deployerDumpAt: number
  /** Buys that filled the curve and were paid back in part. */
  refunds: number
  /** Failed attempts to graduate the full curve (AutoGraduationFailed). */
  graduationsFailed: number
  /** Block in which the curve sold its last token; -1 open. */
  completeNumber: number
  /** Unix seconds; 0 open. */
  completeAt: number
  /** Block in which the factory took over the full curve in a transaction without its completion; -1: never. */
  sweptNumber: number
  /** The factory took it over by LaunchForceSwept, which names no amounts. */
  isForceSwept: boolean
  /** Number of rescue events: tokens or quote that were locked or left without a trade. */
  rescues: number
  /** Block in which the pool was opened; -1 if none was. */
  graduatedNumber: number
  /** Unix seconds; 0 not graduated. */
  graduatedAt: number
  /** Unix seconds at which the drain of the outcome rule was met; 0: not met. */
  drainAt: number
  /** Flags that fired, by the bits that their detectors declare. */
  flagBits: number
  /** Flags of shadow detectors that fired, by their bits. */
  shadowBits: number
  /** Last number of the newest gap that touched the curve; -1 none. */
  gapNumber: number
  /** First number of that gap; -1 none. */
  gapFrom: number
  /** 0 no gap, 1 gap not cleared, 2 cleared by a later trade that is consistent with the reserves (holders stay unknown), 3 inconsistent: permanently thin. */
  gapTrades: number
}

/** One wallet. */
export interface CurveHolderRow {
  wallet: Key
  /** Tokens held, base units; negative if it gave tokens whose receipt was not observed. */
  units: Amount
  /** Bits: 1 bought, 2 sold, 4 bought through a terminal, 8 bought directly in a block with two or more direct buys. */
  roles: number
}

/** Trades of one block. */
export interface BlockFlowRow {
  /** The block. */
  number: number
  /** Its tick time, unix seconds. */
  at: number
  buys: number
  sells: number
  /** Known wallets that bought for the first time. */
  newBuyers: number
}

/** One route. */
export interface RouteRow {
  /** direct, the name of a router, or other. */
  route: string
  buys: number
}

/** What became of the launch, with figures as of the settlement. */
export interface CurveOutcomeRow {
  /** Graduation or tick at which it settled, unix seconds. */
  settledAt: number
  /** migrated or quiet. */
  cause: string
  graduated: null | boolean
  rugged: null | boolean
  /** drain or dev_dump. */
  rugKind: null | string
  /** Seconds from launch to the rug. */
  rugDtS: null | number
  /** Why there is no label: gap. */
  censored: null | string
  /** Real quote reserve at the settlement. */
  terminalQuoteUnits: Amount
  /** Highest real quote reserve before the settlement. */
  peakQuoteUnits: Amount
  /** Seconds from launch to the first sell of the deployer. */
  devFirstSellDtS: null | number
  /** What the deployer paid for buys in the block of the launch. */
  devBuyQuoteUnits: Amount
  trades: number
  buyers: number
  /** The curve was sold out in the block of its launch. */
  selfGraduated: boolean
  /** First trade after the settlement, unix seconds. */
  reopenedAt: null | number
}

/** The deployer's record as of the position of the launch: launches that settle later do not count. */
export interface DeployerPriorRow {
  launches: number
  /** Of these, launches that had settled with both labels. */
  resolved: number
  /** Of the resolved. */
  graduated: number
  /** Of the resolved. */
  rugged: number
  /** Median seconds from launch to the first sell of the deployer, of the resolved in which it sold. */
  medianDevSellS: null | number
  /** Unix seconds: nothing before is known. */
  observedSince: number
}

/** The smallest holders of a token with very many wallets, merged into one row. */
export interface CurveFoldedRow {
  /** Rows that were merged, including those of past buyers; a wallet that returns may be counted again. */
  rows: number
  /** Of these, wallets that held tokens when they were merged. */
  wallets: number
  /** Tokens that these wallets hold, base units. */
  units: Amount
}

/** A removed curve. */
export interface CurveStubRow {
  reason: string
  curve: Key
  deployer: Key
  quoteMint: null | Key
  launchNumber: number
  /** Unix seconds. */
  launchAt: number
  /** -1 open. */
  completeNumber: number
  /** -1 not graduated. */
  graduatedNumber: number
  /** Unix seconds; 0 not graduated. */
  graduatedAt: number
  refunds: number
  lastNumber: number
  /** Unix seconds. */
  forgottenAt: number
  /** Flags that had fired, comma-separated. */
  flags: string
}

/** Committed state of a transactional producer (an owner): written with each of its commits, keyed by its id. Kafka only; the embedded log stores the same next to its records. */
export interface OwnerStanding {
  /** The owner's id, such as the name of a task. */
  id: string
  /** Epoch of the id: it grows with each takeover, and owners of an older one are fenced. */
  generation: number
  /** Commits of this generation. After a commit with an unknown outcome, this count shows whether it took place. */
  commits: number
  /** Its committed input offsets. */
  inputs: InputOffset[]
  /** The shared producer that writes its commits, by its transactional id without prefix; null if the owner has a producer of its own. */
  writer: null | string
}

/** The committed offset of an input. */
export interface InputOffset {
  /** topic/partition without prefix, or a source's own name. */
  name: string
  /** The next offset to read. */
  offset: number
}

/** The source of a chain's frames and its clock, keyed by the chain. The capturing process writes it for processes that only serve. */
export interface SourceClock {
  chain: Chain
  /** The source as meta.source of every answer names it. */
  facts: string
  /** A stream time, unix milliseconds: stream time runs from here at `speed`. */
  streamMs: number
  /** Wall time at which stream time was streamMs, unix milliseconds. */
  wallMs: number
  /** Stream seconds per wall second; 0: stream time is that of the newest tick. */
  speed: number
}

/** A mint of the launchpad (on the alt chain a token) that capture has seen, keyed by the bytes of its address: 32, on the alt chain 20. */
export interface CapturedMint {
  /** Slot (on the alt chain block) of a launchpad transaction of the mint: the newest one, or one up to 6 hours older, because capture writes a mint at most once in 6 hours. */
  number: number
}

/** The processor versions that wrote the stores of a chain, keyed by the chain. The record is written when the stores are created, when a rebuild starts and ends the swap of its rows, when a redrive or a repair is requested, and when a redrive fails. A repair is a rebuild of stores with which a task cannot continue. */
export interface StoresStanding {
  chain: Chain
  /** due: a redrive or a repair was requested, and no row has been swapped in yet; installing: a rebuild's rows are being swapped in, old and new rows are mixed, and no task may use the stores. */
  state: 'whole' | 'due' | 'installing'
  /** Redrives and repairs requested so far, without redrives that failed; the newest of them is done once the state is whole. */
  redrive: number
  /** Rebuilds so far whose rows were swapped in, the current swap included; outputs that a rebuild writes again carry this number. */
  revision: number
  /** Versions of the processors that wrote the stored rows and outputs. The decoder is left out from the request of a repair that decodes the frames again until that repair has swapped its rows in. */
  versions: ProcessorVersion[]
  /** Versions that mintfold promote --back replaced by older ones: a program with exactly these versions does not rebuild the stores on its own, until it is promoted. Empty if there are none. */
  rolledBack: ProcessorVersion[]
}

/** A processor by name. */
export interface ProcessorVersion {
  name: string
  version: number
}

/** Replacement of the tape record at one offset of the same partition, from frames that were decoded again. The newest correction of an offset is valid. */
export interface TapeCorrection {
  /** Offset of the tape record. */
  offset: number
  /** Number of the rebuild that wrote it. */
  revision: number
  /** Contents of the offset until now: records of the tape's schema, or bytes that cannot be decoded. */
  before: Uint8Array[]
  /** Contents of the offset from now on: none, one or several records of the tape's schema. */
  after: Uint8Array[]
  /** For each record of after: true if a fork had reverted its frame. */
  isDead: boolean[]
}

/** Part of a copy of a task's rows, keyed by the task; a rebuild starts from a complete copy. A copy is all pages from the record that begins it to the record with its mark; if a page occurs more than once, its last version is valid. */
export interface BaseRecord {
  /** Tick time at which the copy began, unix seconds. */
  time: number
  /** True: begins a copy. An earlier copy without a mark is incomplete and ignored. */
  begins: boolean
  pages: BasePage[]
  /** Ends the copy, which has the rows as they were right after this frame. */
  mark: null | BaseMark
  /** A rebuild continued from the frame with this sequence: copies before this record that end at a newer frame are invalid. -1: all copies before this record are invalid. */
  cut: null | number
}

/** A page of rows, as on the changelog of its store. */
export interface BasePage {
  /** Processor that owns the rows; empty for the task's own rows. */
  store: string
  /** Key of the aggregate. */
  key: Uint8Array
  page: number
  /** Avro of the store's schema; null if the page was deleted. */
  value: null | Uint8Array
}

/** Position of the task. */
export interface BaseMark {
  /** Capture's number of the newest frame. */
  sequence: number
  number: number
  /** Tick time of that frame, unix seconds. */
  time: number
  /** Input offsets committed with that frame. */
  inputs: BaseInput[]
  stores: BaseStore[]
}

/** One input. */
export interface BaseInput {
  /** topic/partition */
  name: string
  offset: number
}

/** The processor version that wrote the pages of a store. */
export interface BaseStore {
  /** Processor; empty for the task's own rows. */
  name: string
  version: number
  /** Avro schema of its pages, JSON. */
  schema: string
}

/** The running rebuild of a chain's stores, keyed by the chain. On Kafka the process that runs the rebuild writes this record every second; if no new record arrives, another process takes over. */
export interface RebuildStanding {
  chain: Chain
  /** beside: the rebuild works in a staging log while the tasks continue; switching: the tasks are paused until the stores are whole again. */
  state: 'none' | 'beside' | 'switching'
  /** Process that runs it; empty for none. */
  by: string
  /** Changes with each record (heartbeat). */
  beat: number
  /** Why the running rebuild was requested; null if versions changed. While no rebuild runs: the reason of a request that waits, or of the last rebuild if that was a repair; otherwise null. */
  reason: null | string
  /** The current work and its progress, for people. */
  words: null | string
  /** Processor versions of the stores after the rebuild. */
  target: ProcessorVersion[]
  /** Schemas of the rows stored now. */
  schemas: RowSchema[]
}

/** Shape of the rows of a processor. */
export interface RowSchema {
  name: string
  /** Avro, JSON. */
  schema: string
}

/** An odds model on the topic models, keyed by its id; a later record of an id replaces the earlier one. */
export interface ModelRecord {
  /** Start of the SHA-256 of the file, 16 hex digits. */
  id: string
  /** Counts the models of this log, from 1. */
  sequence: number
  /** trial: its odds are graded, but not shown; in_force: its odds are shown while they grade well; retired: no longer scores. */
  state: 'trial' | 'in_force' | 'retired'
  /** Stream time at which the state began, unix seconds. */
  since: number
  /** Stream time of its publication, unix seconds: it scores judgements from then on. */
  trialSince: number
  /** Stream time at which it was put in force, unix seconds; null for a model that was never in force. */
  inForceSince: null | number
  /** Why it has the state, in words. */
  reason: string
  /** The model file as mintfold train wrote it, JSON. */
  file: Uint8Array
}

/** Any event of the tape. */
export type TapeEvent = TapeBatch['events'][number]
/** Any record of the tape. */
export type TapeRecord = TapeBatch | TapeRevert | TapeFinality
/** Any event of the alt chain's tape. */
export type AltTapeEvent = AltTapeBatch['events'][number]
/** Any record of the alt chain's tape. */
export type AltTapeRecord = AltTapeBatch | TapeRevert | TapeFinality
