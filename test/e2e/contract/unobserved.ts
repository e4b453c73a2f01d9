// Rows that real answers break today, each with the finding of the review that names it; and those that this market does not show.

/** Row of the contract, and the finding. A row that holds again is printed: it can leave this list. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'ThinMintCard next.creator leads to the creator that the card names': 'C2',
  'WalletAnswer leaderboard.as_of is fresh': 'C3',
  'RegimeAnswer as_of is fresh': 'C3',
  'FullMintCard outcome.n_trades = SQL': 'C5',
  'FullMintCard outcome.n_buyers = SQL': 'C5',
  'FullMintCard curve.rs_sol = SQL': 'C6',
  '/v1/launches/recent min_rs': 'C6',
  'limit: samples are at least 300 s old': 'C7',
  'CreatorAnswer stats.n_launches = SQL': 'C9',
  'CreatorAnswer stats.n_resolved = SQL': 'C9',
  'CreatorAnswer stats.grad_rate = SQL': 'C9',
  'CreatorAnswer stats.rug_rate = SQL': 'C9',
  'CreatorAnswer n_live_mints = SQL': 'C4',
  ...Object.fromEntries(
    [
      ...['token_program', 'decimals', 'supply_ui'],
      ...['complete', 'real_sol_reserves_sol', 'virtual_sol_reserves_sol', 'progress', 'price_sol_per_token'].map(
        (name) => `launchpad.${name}`,
      ),
      ...['market_cap_sol', 'creator', 'cashback_enabled', 'is_mayhem_supply'].map((name) => `launchpad.${name}`),
    ].map((name) => [`ThinMintCard onchain.${name}`, 'C14']),
  ),
}

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
  'CreatorAnswer data.funded_recently_by',
  'CheckAnswer data.status',
  'CheckItem status',
  'CheckItem findings[].',
  'CheckItem curve.graduated',
  'FullMintCard outcome.',
  'RegimeAnswer rug_flags.',
]
