// `kill -9` of the whole product while both demo chains fork: the log's curve output equals a replay of the canonical branch.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { curveEvidence } from '../../../processors/curve/card/card.ts'
import { altConclusionCodec, rawRecordCodec } from '../../../schemas/codecs.ts'
import { type Key, keyOfText, keyText } from '../../../schemas/keys.ts'
import type { Conclusion, RawFrame } from '../../../schemas/types.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import { openLmdbLog } from '../../../topology/logs/lmdb/lmdb.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { CurveReplay } from '../../../topology/runtime/curve-replay.ts'
import { LogCurveView } from '../../../topology/views/curve-view.ts'
import { readAll } from '../../live.ts'
import { BIN, UpProcess } from '../../soak/up-process.ts'
import { freePort } from '../../tools/free-port.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

const PARTITIONS = 2
const KILLS = 2
/** Ten seconds of stream time per second, and a fork in every three seconds of stream time. */
const START = ['--start', '2026-10-15T12:00:00Z']
const PLAN = ['--seed', '6', '--rate', '12', '--history', '0.01', '--speed', '10', '--forks', '1200', '--frames', '400']
const ALL_MS_MAX = 120_000

const dir = mkdtempSync(join(tmpdir(), 'mintfold-alt-kills-'))
afterAll(() => removeDirectory(dir))

const start = async (source: string): Promise<UpProcess> =>
  new UpProcess({
    dataDir: dir,
    port: await freePort(),
    args: [BIN, 'up', '--source', source, ...START, ...PLAN],
    // No history: it would take most of the time.
    env: { MINTFOLD_PARTITIONS: String(PARTITIONS), MINTFOLD_METRICS_PORT: '0', CLICKHOUSE_URL: 'http://127.0.0.1:9' },
  })

const { raw } = CURVE_RISK.operations.record.reads
const canonicalFrames = async (log: Log): Promise<{ readonly frames: readonly RawFrame[]; readonly forks: number }> => {
  const frames: RawFrame[] = []
  let forks = 0
  for (const { value } of await readAll(log, raw)) {
    const read = rawRecordCodec.decode(value ?? new Uint8Array())
    if (!read.ok) throw new Error(read.reason)
    const { body } = read.value
    if (body.type === 'frame') frames.push(body)
    if (body.type !== 'revert') continue
    forks++
    frames.splice(frames.findLastIndex(({ hash }) => hash === body.hash) + 1)
  }
  return { frames, forks }
}

/** Ids of the findings, sorted. */
const standing = (conclusions: readonly Conclusion[]): string[] =>
  conclusions.flatMap(({ id, body }) => (body.type === 'finding' ? [id] : [])).sort()
const standingOn = async (log: Log): Promise<string[]> => {
  const ids: string[] = []
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const conclusions: Conclusion[] = []
    for (const { value } of await readAll(log, CURVE_RISK.views.curves.reads.flags, partition)) {
      const read = altConclusionCodec.decode(value ?? new Uint8Array())
      if (!read.ok) throw new Error(read.reason)
      const { body, number, hash8 } = read.value
      if (body.type === 'retraction') {
        const index = conclusions.findIndex((one) => one.number === number && one.hash8 === hash8)
        if (index >= 0) conclusions.splice(index)
      } else conclusions.push(read.value)
    }
    ids.push(...standing(conclusions))
  }
  return ids.sort()
}

test(
  `${KILLS} kills between forks: frames link, and rows, cards and findings of curves equal a replay of the canonical branch`,
  async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const up = await start('demo')
      await up.printed(kill === 0 ? 'mintfold answers on' : 'plays')
      await pause(700 + kill * 300)
      await up.kill()
    }
    // The rest of the other chain would take three times as long.
    const last = await start('demo:alt')
    await last.printed('the recording is played', ALL_MS_MAX)
    await last.stop()
    const log = await openLmdbLog({ dir: join(dir, 'log'), partitions: PARTITIONS })
    const view = new LogCurveView(log, CURVE_RISK, { tip: () => null })
    try {
      await view.start()
      const { frames, forks } = await canonicalFrames(log)
      expect(forks).toBeGreaterThan(1)
      expect(frames.length).toBeGreaterThan(300)
      for (const [n, { parentHash, part }] of frames.entries())
        if (n > 0 && part === 0) expect([n, parentHash]).toEqual([n, frames[n - 1]?.hash])
      const replay = new CurveReplay(CURVE_RISK)
      const conclusions = frames.flatMap((frame) => replay.frame(frame)?.conclusions ?? [])
      expect(replay.deadLetters).toBe(0)
      const { moment } = replay
      if (moment === undefined) throw new Error('nothing was folded')
      expect(view.status().folded).toEqual(moment.tip)
      const expected = replay.cards()
      expect(expected.length).toBeGreaterThan(30)
      const shown = expected.map(({ mint }) => {
        const token = keyOfText(mint) as Key
        return {
          mint: keyText(token),
          evidence: curveEvidence({ address: token, token, state: view.get(token)?.state }, moment, CURVE_RISK),
        }
      })
      expect(shown).toEqual(expected)
      expect(view.status().tracked).toBe(expected.length)
      expect(await standingOn(log)).toEqual(standing(conclusions))
      expect(standing(conclusions).length).toBeGreaterThan(0)
    } finally {
      await view.stop()
      await log.close()
    }
  },
  ALL_MS_MAX * 2,
)
