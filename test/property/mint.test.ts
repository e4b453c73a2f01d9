// Properties of the mint fold and its cards for every tape.
import fc from 'fast-check'
import { loadType } from '../../schemas/avro.ts'
import type { Conclusion, MintState } from '../../schemas/types.ts'
import { NaiveEngine } from '../naive-context.ts'
import { launchItem, mintEvidence, mintProcessor } from '../shipped.ts'
import { MINT, T0 } from '../unit/processors/mint/market.ts'
import { type MintEngine, stateOf } from '../unit/processors/mint/mint-given.ts'
import { tape } from './mint-arbitraries.ts'

type Tape = typeof tape extends fc.Arbitrary<infer T> ? T : never
const foldAll = (frames: Tape): MintEngine => {
  const engine: MintEngine = new NaiveEngine(mintProcessor)
  for (const { header, events } of frames) engine.frame(header, events)
  return engine
}
const moments = (frames: Tape) => {
  const last = frames.at(-1)?.header
  const asOf = last?.time ?? T0
  const gap = last?.gapFrom == null || last.gapTo === null ? null : { from: last.gapFrom, to: last.gapTo }
  return [
    { asOf, gap },
    { asOf: asOf + 65, gap: null },
  ]
}
/** Name of a conclusion that a mint emits at most once. */
const nameOf = (body: Conclusion['body']): string => {
  if (body.type === 'finding') return body.flag
  if (body.type === 'role') return `${body.role} ${body.wallet}`
  if (body.type === 'judgement') return `${body.type} ${body.ageS}`
  return body.type === 'transition' ? (body.pool === null ? 'complete' : 'migrated') : body.type
}
const mintState = loadType('mint-state')
const conclusion = loadType('conclusions')

describe('the mint fold', () => {
  it('is total: rows and outputs of any tape can be stored and are read back unchanged', () => {
    fc.assert(
      fc.property(tape, (frames) => {
        const engine = foldAll(frames)
        const rows = stateOf(engine)
        expect(mintState.fromBuffer(mintState.toBuffer(rows))).toEqual(rows)
        expect(
          mintState.isValid(stateOf(engine), {
            errorHook: (path: string[]) => {
              throw new Error(path.join('.'))
            },
          }),
        ).toBe(true)
        for (const { output } of engine.outputs) expect(conclusion.isValid(output.conclusion)).toBe(true)
      }),
    )
  })

  it('is a function of the tape: the same rows and outputs every time', () => {
    fc.assert(
      fc.property(tape, (frames) => {
        const [one, two] = [foldAll(frames), foldAll(frames)]
        expect(two.outputs).toEqual(one.outputs)
        expect(stateOf(two)).toEqual(stateOf(one))
      }),
      { numRuns: 30 },
    )
  })

  it('emits each flag, step and role of a mint once and settles it once, while the mint is kept', () => {
    fc.assert(
      fc.property(tape, (frames) => {
        const ids = foldAll(frames).outputs.map(({ output }) => output.conclusion.id)
        expect(new Set(ids).size).toBe(ids.length)
        const engine = foldAll(frames)
        const names = engine.outputs.map(({ key, output }) => `${key}${nameOf(output.conclusion.body)}`)
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })

  it('emits nothing in frames without events in which no timer is due', () => {
    fc.assert(
      fc.property(tape, (frames) => {
        const engine = foldAll(frames)
        const before = engine.outputs.length
        const last = frames.at(-1)?.header
        if (last !== undefined) engine.frame({ ...last, number: last.number + 1 }, [])
        expect(engine.outputs.length).toBe(before)
      }),
    )
  })
})

describe('the card', () => {
  const shuffled = (state: MintState): MintState => ({
    ...state,
    holders: [...state.holders].reverse(),
    flows: [...state.flows].reverse(),
    flags: [...state.flags].reverse(),
    changes: [...state.changes].reverse(),
  })

  it('depends neither on the order of rows nor on the call', () => {
    fc.assert(
      fc.property(tape, (frames) => {
        const state = stateOf(foldAll(frames))
        for (const moment of moments(frames))
          expect(JSON.stringify(mintEvidence(MINT, shuffled(state), moment))).toBe(JSON.stringify(mintEvidence(MINT, state, moment)))
      }),
    )
  })

  it('is the same for rows that went through the log', () => {
    fc.assert(
      fc.property(tape, (frames) => {
        const state = stateOf(foldAll(frames))
        const read = mintState.fromBuffer(mintState.toBuffer(state)) as MintState
        for (const moment of moments(frames))
          expect(JSON.stringify(mintEvidence(MINT, read, moment))).toBe(JSON.stringify(mintEvidence(MINT, state, moment)))
      }),
      { numRuns: 50 },
    )
  })

  it('has only finite numbers, and a reason for every null', () => {
    const check = (value: unknown): void => {
      if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
      if (value === null || typeof value !== 'object') return
      for (const [field, inner] of Object.entries(value)) {
        if (inner === null) expect(Object.keys(value)).toContain(`${field}_reason`)
        check(inner)
      }
    }
    fc.assert(
      fc.property(tape, (frames) => {
        const state = stateOf(foldAll(frames))
        for (const moment of moments(frames)) {
          check(mintEvidence(MINT, state, moment))
          if (state.launch !== null) check(launchItem(MINT, state, moment))
        }
      }),
    )
  })
})
