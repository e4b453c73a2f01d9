// The powers over holders that a mint grants, as a list of codes, each with its meaning.
import type { MintAccount, MintExtension } from '../../accounts.ts'

/** In the order of the answer. */
export const HAZARDS = {
  mint_authority: 'somebody may mint more coins',
  freeze_authority: 'somebody may freeze coins of any holder',
  default_frozen: 'coins of new holders are frozen until somebody thaws them',
  permanent_delegate: 'somebody may move or burn coins of any holder',
  transfer_fee: 'a transfer costs a fee, or somebody may set one',
  transfer_hook: 'every transfer calls a program that may refuse it, or somebody may name one',
  pausable: 'somebody may stop all transfers',
  non_transferable: 'coins cannot be sent to anybody else',
} as const
export type Hazard = keyof typeof HAZARDS

const hazardOf = (extension: MintExtension): Hazard | undefined => {
  switch (extension.type) {
    case 'transferFee': {
      const isCharged = extension.basisPoints > 0 || extension.beforeBasisPoints > 0
      return isCharged || extension.authority !== null ? 'transfer_fee' : undefined
    }
    case 'transferHook':
      return extension.program !== null || extension.authority !== null ? 'transfer_hook' : undefined
    case 'permanentDelegate':
      return extension.delegate === null ? undefined : 'permanent_delegate'
    case 'defaultAccountState':
      return extension.frozen ? 'default_frozen' : undefined
    case 'pausable':
      return extension.authority !== null || extension.paused ? 'pausable' : undefined
    case 'nonTransferable':
      return 'non_transferable'
    case 'tokenMetadata':
    case 'other':
      return undefined
  }
}

/** The hazards of one mint. */
export const hazardsOf = ({ mintAuthority, freezeAuthority, extensions }: MintAccount): readonly Hazard[] => {
  const found = new Set<Hazard | undefined>(extensions.map(hazardOf))
  if (mintAuthority !== null) found.add('mint_authority')
  if (freezeAuthority !== null) found.add('freeze_authority')
  return (Object.keys(HAZARDS) as Hazard[]).filter((hazard) => found.has(hazard))
}
