// The soak `upgrade` in small, on the embedded log.
import { isUpgradedWell, upgradesHere } from '../soak/upgrade.ts'

test('three upgrades in a row under load rebuild once each, and lose nothing', async () => {
  const report = await upgradesHere({ seconds: 24, speed: 2, seed: 9, partitions: 2, print: () => {} })
  expect(report).toMatchObject({ rebuilds: [1, 1, 1], differences: [], older: 0 })
  expect(isUpgradedWell(report)).toBe(true)
})
