// decode_block_protobuf: block 332254908 (1,862 transactions) from protobuf bytes to tape events.
import { blockBench } from './decode-block.ts'

export const bench = blockBench('decode_block_protobuf', 'mainnet-332254908.ConfirmedBlock.pb')
