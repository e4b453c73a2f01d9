// `mintfold record --source live:alt`: records blocks of a real node; the recording replays like any other.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../../topology/cli/main.ts'
import { createIo } from '../../../topology/cli/output/io.ts'
import { readRecording } from '../../../topology/sources/recording/recording-file.ts'
import { Anvil, describeAnvil } from '../../services/anvil.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { fakeEdges } from '../../unit/cli/fake-edges.ts'

const RECORD = ['record', '--source', 'live:alt', '--frames', '3']

const run = async (args: readonly string[], env: Record<string, string>) => {
  const edges = fakeEdges(env)
  const code = await main([...args], createIo(edges))
  return { code, ...edges.written }
}

describe('the settings of the alt chain', () => {
  test('names the missing setting when there is no node', async () => {
    const { code, stderr } = await run([...RECORD, '--out', 'never.avro'], {})
    expect(code).toBe(2)
    expect(stderr).toContain('--source live:alt needs a node of the chain: set ALT_RPC_URL')
  })
  test('names the missing setting of `capture` too', async () => {
    const { code, stderr } = await run(['capture', '--source', 'live:alt'], {})
    expect(code).toBe(2)
    expect(stderr).toContain('--source live:alt needs a node of the chain: set ALT_RPC_URL')
  })
})

describeAnvil('a recording of the live alt chain', () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-record-alt-'))
  const out = join(dir, 'alt.avro')
  let anvil: Anvil
  afterEach(() => anvil.stop())
  afterAll(() => removeDirectory(dir))

  test('records the node’s blocks in order, and they replay', async () => {
    anvil = await Anvil.start(['--block-time', '0.1', '--slots-in-an-epoch', '1'])
    const { code, stderr } = await run([...RECORD, '--out', out], { ALT_RPC_URL: anvil.rpcUrl, ALT_WS_URL: anvil.wsUrl })
    expect([code, stderr]).toEqual([0, expect.stringContaining('alt.avro: 3 frames')])
    const frames = []
    for await (const { chain, number, parentNumber } of readRecording(out)) frames.push({ chain, number, parentNumber })
    expect(frames).toHaveLength(3)
    for (const [n, frame] of frames.entries()) {
      expect(frame.chain).toBe('alt')
      if (n > 0) expect(frame.number).toBeGreaterThan(frames[n - 1]?.number ?? 0)
    }
    const replayed = await run(['replay', out, '--print', 'tape'], {})
    expect(replayed.code).toBe(0)
  })
  test('refuses a node of another chain and names both ids', async () => {
    anvil = await Anvil.start(['--block-time', '0.1'])
    await anvil.ask('anvil_setChainId', 1)
    const { code, stderr } = await run([...RECORD, '--out', join(dir, 'other.avro')], { ALT_RPC_URL: anvil.rpcUrl })
    expect(code).not.toBe(0)
    expect(stderr).toContain('the node is of chain 1, not of chain 4663')
  })
})
