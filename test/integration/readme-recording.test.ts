// The recording that processors/README.md recommends to authors of detectors contains findings.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerRecord } from '../../topology/cli/commands/recordings/record.ts'
import { register as registerReplay } from '../../topology/cli/commands/recordings/replay.ts'
import { runCommand } from '../fakes/run-command.ts'

const GUIDE = readFileSync(new URL('../../processors/README.md', import.meta.url), 'utf8')

test('the commands of "A detector in ten minutes" give findings of most detectors', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-readme-'))
  const guide = /## A detector in ten minutes\n([\s\S]*?)\n## /.exec(GUIDE)?.[1] ?? ''
  const [record = '', replay = ''] = [...guide.matchAll(/^npx mintfold (.*demo\.avro.*)$/gm)].map(([, args = '']) => args)
  // A third of it is enough here, and takes a third of the time.
  const argsOf = (line: string): string[] =>
    line.replace('--frames 2500', '--frames 800').replace('demo.avro', join(dir, 'demo.avro')).split(' ')
  expect(record).toContain(' --frames 2500 ')
  expect((await runCommand(registerRecord, argsOf(record))).error).toBeUndefined()
  const { error, out } = await runCommand(registerReplay, argsOf(replay))
  expect(error).toBeUndefined()
  const flags = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly flag: string }).flag)
  expect(flags.length).toBeGreaterThan(20)
  expect([...new Set(flags)].sort()).toEqual(expect.arrayContaining(['bundle_dumped', 'creator_sold', 'curve_drained']))
  rmSync(dir, { recursive: true })
})
