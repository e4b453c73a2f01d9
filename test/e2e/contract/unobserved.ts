// Rows that the market of the demo may not show.

/** Beginnings of rows that the demo may not show: kinds of launches that it seldom or never plays, and what needs a fault or a day. */
export const MAY_BE_UNOBSERVED: readonly string[] = [
  'ThinMintCard next.creator leads',
  'LaunchesAnswer coverage',
  'FullMintCard risk_label',
  'FullMintCard confidence',
  'ThinMintCard status',
  'ThinMintCard onchain.mint_authority',
  'ThinMintCard onchain.freeze_authority',
  'ThinMintCard creator_prior.',
  'ThinMintCard history_reason',
  'Rug flag',
  'Rug detail.',
  'WalletAnswer data.leaderboard.class',
  'CohortAnswer data.shape.',
  'CreatorAnswer data.funded_recently_by',
  'CheckAnswer data.status',
  'CheckItem status',
  'CheckItem findings[].',
  'CheckItem curve.graduated',
  'FullMintCard outcome.',
  'RegimeAnswer rug_flags.',
  'AlertMessage ',
]
