// `mintfold verify-odds`: the independent verifier as a command, with its exit codes.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataOf } from '../../../query-api/answers/odds/proof.ts'
import { main } from '../../../topology/cli/main.ts'
import { createIo } from '../../../topology/cli/output/io.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { oddsValue } from '../../fakes/set-odds-history.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { key } from '../query-api/given-mint.ts'
import { fakeEdges } from './fake-edges.ts'

describe('verify-odds', () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-odds-'))
  afterAll(() => removeDirectory(dir))

  const fileOf = (name: string, content: unknown): string => {
    const path = join(dir, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const run = async (...argv: readonly string[]) => {
    const edges = fakeEdges()
    const code = await main(['verify-odds', ...argv], createIo(edges))
    return { code, out: edges.written.stdout, stderr: edges.written.stderr }
  }
  const answer = async () => {
    const asked = await new SetHistory().oddsProof({ id: oddsValue().id, mint: key(77), number: 1_000 })
    if (!asked.ok || asked.value === null) throw new Error('no proof')
    return { ok: true, data: dataOf(asked.value, Number.MAX_SAFE_INTEGER) }
  }

  test('prints a line per value, and exits with 0 if all are proven', async () => {
    const one = await answer()
    const { code, out, stderr } = await run(fileOf('lines.json', `${JSON.stringify(one)}\n${JSON.stringify(one.data)}\n`))
    expect([code, stderr]).toEqual([0, ''])
    expect(out.trim().split('\n')).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^ok solana:1000\.~@.* root [0-9a-f]{64}/)),
    )
  })

  test('exits with 1 if a value fails, or if a root differs from the recorded one', async () => {
    const { data } = await answer()
    const changed = { ...data, value: { ...data.value, ppm: 1 } }
    expect(await run(fileOf('changed.json', [data, changed]))).toMatchObject({ code: 1, out: expect.stringMatching(/^ok .*\nfailed /) })
    const proof = fileOf('proof.json', data)
    const roots = (root: string | null) => fileOf('roots.json', [{ hour: data.hour, n: data.n, root }])
    expect(await run(proof, '--roots', roots(data.root))).toMatchObject({ code: 0 })
    expect(await run(proof, '--roots', roots('00'.repeat(32)))).toMatchObject({ code: 1, out: expect.stringContaining('another root') })
  })

  test('names a file that cannot be read, and one that is not JSON', async () => {
    expect(await run(join(dir, 'none.json'))).toMatchObject({ code: 3, stderr: expect.stringContaining('none.json') })
    expect(await run(fileOf('text.json', 'no json'))).toMatchObject({ code: 1, stderr: expect.stringContaining('text.json') })
  })
})
