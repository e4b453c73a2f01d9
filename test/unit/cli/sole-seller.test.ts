// Without a shared payment store, only one process at a time takes payments to a wallet.
import { claimSales } from '../../../topology/cli/selling/sole-seller.ts'
import type { Assigned, Assignment } from '../../../topology/ports/assignment.ts'

/** A group whose assignment the test sets. */
class SetGroup implements Assignment {
  readonly settleMs = 0
  readonly isKnown = true
  readonly done = new Promise<void>(() => {})
  isStopped = false
  readonly #first: ReadonlySet<string>
  #assigned: Assigned = async () => {}

  constructor(first: ReadonlySet<string>) {
    this.#first = first
  }
  start(_places: readonly string[], assigned: Assigned): Promise<void> {
    this.#assigned = assigned
    return assigned(this.#first)
  }
  assign(assigned: readonly string[]): Promise<void> {
    return this.#assigned(new Set(assigned))
  }
  async stop(): Promise<void> {
    this.isStopped = true
  }
}

const PLACE = 'sales/0'

describe('a seller', () => {
  test('sells while it is assigned the wallet, and otherwise refuses payments before they settle', async () => {
    const group = new SetGroup(new Set([PLACE]))
    const sales = await claimSales('wallet', group)
    const admit = sales.admit(async () => null)
    expect(await admit('payer')).toBeNull()
    await group.assign([])
    expect(await admit('payer')).toMatchObject({ status: 503, body: expect.stringContaining('seller_elsewhere') })
    await group.assign([PLACE])
    expect(await admit('payer')).toBeNull()
  })
  test('waits until the wallet of a dead seller is reassigned', async () => {
    const group = new SetGroup(new Set())
    const claiming = claimSales('wallet', group, 30_000)
    await group.assign([PLACE])
    await expect(claiming).resolves.toBeDefined()
  })
  test('fails with advice while another process takes payments to the wallet, and leaves the group', async () => {
    const group = new SetGroup(new Set())
    await expect(claimSales('wallet', group, 20)).rejects.toMatchObject({
      code: 'seller_elsewhere',
      message: expect.stringContaining('REDIS_URL'),
    })
    expect(group.isStopped).toBe(true)
  })
})
