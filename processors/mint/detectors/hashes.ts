// Written by `npm run detectors`: what the code of each version of a detector hashes to. Lines are added and never changed.
import type { Hashes } from './set.ts'

export const HASHES: Hashes = {
  'bundle-dumped': ['88c9bfcb973949df6e317decfaad2a96636972b2ff474ddc740de9a4b9daea21'],
  'curve-closed-low': ['a736d0cdd204ddcc2a35baa6407541afe58bf8276c98b189685a91b8fa0946da'],
  'migrate-below-grad': ['e52ee31a57529deb4a63918564445ec12788a155d75f7f2d613662a592a490b9'],
  'creator-sold': ['3b9621bfd0516463acb3193c1c54040d36ab472d54c0e0562f4ea4f9e4b11b86'],
  'curve-drained': ['f6b8e5b037be89f55e76ef0510cb8dcaf4a8ac5ab638004e6404b34c11c248b9'],
  'pool-drained': ['0bb2ab6660099b5b958201ee60d75631d04afd5cfef1e1ede1c51e520702dd51'],
  'dev-unloaded': ['5183bfe9ed0033f26527f6646d46a61431c156f9ee1c0a55fcdcf272110be870'],
}
