// The configured launchpad of curves: which settings are accepted, and which are refused with the entry named.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../../topology/cli/command.ts'
import { parseSettings } from '../../../topology/cli/settings/settings.ts'
import { launchpadIn } from '../../../topology/cli/settings/settings-launchpad.ts'

const ONE = `0x${'ab'.repeat(20)}`
/** A capital that the checksum of EIP-55 does not have. */
const MISTYPED = `0xA${ONE.slice(3)}`
const OTHER = `0x${'11'.repeat(20)}`

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'launchpad-'))
})
afterAll(() => rmSync(dir, { recursive: true }))
const file = (text: string): string => {
  const path = join(dir, 'routers.json')
  writeFileSync(path, text)
  return path
}

test('factories in one letter case, and routers in a file, are accepted', () => {
  expect(launchpadIn({ ALT_FACTORIES: `${ONE}, ${OTHER}` })).toEqual({ factories: [ONE, OTHER], routers: null })
  expect(launchpadIn({ ALT_ROUTERS: file(JSON.stringify({ [ONE]: 'gmgn', [OTHER]: 'mine' })) })).toEqual({
    factories: null,
    routers: { [ONE]: 'gmgn', [OTHER]: 'mine' },
  })
})
test('without factories and routers no launchpad is configured', () => {
  expect(launchpadIn({ ALT_FACTORIES: '' })).toBeNull()
})
test.each([
  ['0x12', /ALT_FACTORIES="0x12" is wrong: it must be 1 to 16 addresses.*\("0x12" is not one\)/],
  [`${ONE},`, /\("" is not one\)/],
  [MISTYPED, /with the right checksum \(EIP-55\).* is not one\)/],
  [Array.from({ length: 17 }, () => ONE).join(','), /\(there are 17\)/],
])('the factories %s are refused', (text, message) => {
  expect(() => launchpadIn({ ALT_FACTORIES: text })).toThrow(UsageError)
  expect(() => launchpadIn({ ALT_FACTORIES: text })).toThrow(message)
})
test.each([
  ['invalid JSON', '{', /ALT_ROUTERS=.* is wrong: it must be a JSON file with names by address.*routers.json is not JSON/],
  ['an array', '[]', /has no JSON object/],
  ['a key that is not an address', '{"0x1":"a"}', /has "0x1", which is not an address/],
  ['an address whose checksum is wrong', JSON.stringify({ [MISTYPED]: 'a' }), /has "0xA[0-9a-b]+", which is not an address/],
  ['a number as a name', `{"${ONE}":1}`, /no valid name for 0xab.*1 to 64/i],
  ['a name with a line break', `{"${ONE}":"a\\nb"}`, /no valid name/],
  ['the name of trades without a router', `{"${ONE}":"direct"}`, /other than direct and other/],
  [
    'too many routers',
    JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`0x${String(n).padStart(40, '0')}`, 'a']))),
    /names 1001 routers/,
  ],
  ['too many characters', `${' '.repeat(1_000_001)}{}`, /at most 1000000 are allowed/],
])('a file of routers with %s is refused', (_what, text, message) => {
  expect(() => launchpadIn({ ALT_ROUTERS: file(text) })).toThrow(message)
})
test('a missing file is named', () => {
  expect(() => launchpadIn({ ALT_ROUTERS: join(dir, 'none.json') })).toThrow(/ALT_ROUTERS=.*none\.json/)
})
test('the demo refuses addresses, since it has its own', () => {
  const env = { ALT_FACTORIES: ONE }
  expect(() => parseSettings(env, { source: 'demo' })).toThrow(/the demo of the alt chain .* unset ALT_FACTORIES/)
  expect(parseSettings(env, { source: 'demo:solana' }).liveAlt.addresses).toEqual({ factories: [ONE], routers: null })
})
