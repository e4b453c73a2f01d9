// This chain's part of the fold of curves.
import { type Key, mustHexKey } from '../../../schemas/keys.ts'
import type { CurveChain } from '../../curve/rows.ts'
import { type Launchpad, ZERO } from './launchpad.ts'

/** Contracts of the launchpad and of its pools that tokens pass through or stay in permanently. */
const VAULTS = new Set(
  [
    '0x267444D099b10fB5Ed7c3Cc7B7c767AdcA574952', // Locker
    '0xC7819B64a1dAECD7eC19856d026cb14efbd89046', // Executor
    '0x42df2a798f82289E177311362e8f5ccC45c1219c', // BuybackVault
    '0xd3AFEB2a57f70eF218Aa82451c51B2fb0416Ac9e', // FeeEscrow
    '0x8366a39cc670b4001a1121b8f6a443a643e40951', // PoolManager of the pools
  ].map(mustHexKey),
)

/** `isWallet` excludes only the contracts that are known here: no event shows whether another address has code. */
export const curveChainOf = (launchpad: Launchpad): CurveChain => {
  const { factories, hooks, routers, terminals } = launchpad
  const isOwn = (key: Key): boolean => factories.has(key) || hooks.has(key) || VAULTS.has(key)
  return {
    isOwn,
    isWallet: (key) => key !== ZERO && !routers.has(key) && !isOwn(key),
    terminals,
    make: () => launchpad.make,
  }
}
