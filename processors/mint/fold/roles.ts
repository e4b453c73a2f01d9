// Roles of wallets close to a launch: each is emitted once, where it became true.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { roleId } from '../../../schemas/position.ts'
import type { HolderRow, LaunchRow } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import { type MintContext, ROLE_BUNDLE, ROLE_CREATE_TX, ROLE_FUNDED, ROLE_RECEIVED } from '../rows.ts'
import { devSetOf } from './holdings.ts'

/** Published names of roles. The dev set is not among them: it is fixed at the launch. */
const NAMES = {
  [ROLE_BUNDLE]: 'bundle',
  [ROLE_RECEIVED]: 'insider_a',
  [ROLE_FUNDED]: 'insider_b',
  [ROLE_CREATE_TX]: 'insider_c',
} as const

/** Place and time in unix seconds: the block time of the event, or of the tick. */
interface When {
  readonly at: TapeAt
  readonly second: number
}

/** Costs two base58 texts and a record of some 250 bytes, a few times per launch: never per trade. */
const emitRole = (
  ctx: MintContext,
  launch: Readonly<LaunchRow>,
  wallet: Key,
  role: string,
  counterpart: Key | null,
  { at, second }: When,
): void => {
  const { chain, number, tx, outer, inner } = at.position
  const { hash8 } = at.header
  const mint = ctx.key as Key
  const id = roleId(at.position, hash8, role, keyText(wallet), keyText(mint))
  const body = { type: 'role' as const, mint, wallet, role, counterpart, t0: launch.at, slot0: launch.number }
  ctx.emit({ topic: 'outcomes', conclusion: { id, chain, number, tx, outer, inner, hash8, at: second, body } })
}

/** Emits the members of the dev set, at the launch. */
export const emitDevSet = (ctx: MintContext, launch: Readonly<LaunchRow>, at: TapeAt): void => {
  for (const wallet of devSetOf(launch)) emitRole(ctx, launch, wallet, 'dev', null, { at, second: launch.at })
}

/**
 * Gives a wallet a role and emits it; does nothing where it has the role. `counterpart`: the wallet that paid it or sent it coins, where
 * that is the reason.
 */
export const gainRole = (
  ctx: MintContext,
  launch: Readonly<LaunchRow>,
  holder: HolderRow,
  role: keyof typeof NAMES,
  when: When,
  counterpart: Key | null = null,
): void => {
  if ((holder.roles & role) !== 0) return
  holder.roles |= role
  emitRole(ctx, launch, holder.wallet, NAMES[role], counterpart, when)
}
