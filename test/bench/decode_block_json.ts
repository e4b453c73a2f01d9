// decode_block_json: block 332254908 (1,862 transactions) from json bytes to tape events.
import { blockBench } from './decode-block.ts'

export const bench = blockBench('decode_block_json', 'mainnet-332254908.getBlock-converted.json')
