// Written by `npm run detectors`: what the code of each version of a detector hashes to. Lines are added and never changed.
import type { Hashes } from '../../mint/detectors/set.ts'

export const HASHES: Hashes = {
  'curve-drained': ['d1812054a9842422c48e2f3f60b932d2cdda37d87e55b64ed5e357387049e733'],
  'deployer-sold': ['85be151f5190cbea708c4557bad915ab28c6d034f96507548a1dbabdd8291a05'],
}
