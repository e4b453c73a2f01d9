// Rows of mints, read from the changelog.
import { asBuffer } from '../../schemas/bytes.ts'
import type { Key } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import type { StateType } from '../engine/rows/state-type.ts'
import type { MintSnapshot } from '../ports/mint-view.ts'
import { Rows, RowsByKey } from './rows-by-key.ts'

/** Enough for about 4,000 mints of 2 kB; their decoded rows take some 64 MB. */
const DECODED_BYTES_MAX = 8 * 1024 * 1024

class MintRows extends Rows<MintState> implements MintSnapshot {
  get mint(): Key {
    return this.key
  }
  mentions(wallet: Buffer): boolean {
    return this.pages.some((page) => page !== undefined && asBuffer(page).includes(wallet))
  }
}

/** The newest rows of each mint. */
export class MintRowsByKey extends RowsByKey<MintState, MintRows> {
  constructor(type: StateType) {
    super({ type, decodedBytesMax: DECODED_BYTES_MAX, of: MintRows })
  }
}
