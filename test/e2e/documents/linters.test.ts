// External linters of our documents: run with LINTERS=yes, and by CI; elsewhere skipped, with a notice and counted.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeGiven } from '../../services/describe-given.ts'
import { openShop, type Shop } from '../clients/shop.ts'
import { areLintersAsked, type Lint, lintersIn } from './linters.ts'

const TEST_MS_MAX = 150_000
const RULES = 'extends: ["spectral:oas"]\n'

const tests = (): void => {
  let shop: Shop
  let folder: string
  let lint: Lint
  beforeAll(async () => {
    shop = await openShop()
    folder = await mkdtemp(join(tmpdir(), 'mintfold-linters-'))
    const description = await (await fetch(`${shop.url}/openapi.json`)).text()
    lint = await lintersIn(folder, { 'openapi.json': description, 'rules.yaml': RULES })
  }, 400_000)
  afterAll(async () => {
    await shop.close()
    await rm(folder, { recursive: true, force: true })
  })

  test(
    'redocly finds no error and no warning in /openapi.json',
    async () => {
      const { totals, problems } = (await lint('redocly', ['lint', 'openapi.json', '--format=json'])) as {
        totals: object
        problems: { ruleId: string; message: string }[]
      }
      expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
      expect(totals).toMatchObject({ errors: 0, warnings: 0 })
    },
    TEST_MS_MAX,
  )
  test(
    'spectral finds no error and no warning in /openapi.json',
    async () => {
      const found = (await lint('spectral', ['lint', 'openapi.json', '--ruleset', 'rules.yaml', '--format', 'json', '--quiet'])) as {
        code: string
        path: string[]
      }[]
      expect(found.map(({ code, path }) => `${code}: ${path.join('.')}`)).toEqual([])
    },
    TEST_MS_MAX,
  )
  test(
    'the discovery of agentcash accepts every paid route, without a warning',
    async () => {
      const { warnings, ...found } = (await lint('discovery', ['discover', shop.url, '--json'])) as {
        warnings: { code: string; severity: string }[]
      }
      // The number of routes is set by the contract.
      expect(warnings.filter(({ code }) => code !== 'L2_ROUTE_COUNT_HIGH')).toEqual([])
      expect(JSON.stringify(found)).toContain('/v1/mint/{mint}')
    },
    TEST_MS_MAX,
  )
}

describeGiven('the linters', tests, {
  isThere: areLintersAsked,
  lack: 'set LINTERS=yes to install redocly, spectral and discovery in the cache',
})
