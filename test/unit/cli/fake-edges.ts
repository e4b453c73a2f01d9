// Fakes of what a command gets from its process: stdout and stderr (kept as text), environment, signals and exit. They simulate neither
// back-pressure nor a real exit: `exits` lists the requested codes.
import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import type { ProcessEdges } from '../../../topology/cli/output/io.ts'

export interface FakeEdges extends ProcessEdges {
  readonly written: { stdout: string; stderr: string }
  readonly exits: number[]
  /** Sends a signal; false if there is no listener. */
  signal(name: 'SIGINT' | 'SIGTERM'): boolean
}

export const fakeEdges = (env: Record<string, string> = {}, failStdout?: NodeJS.ErrnoException): FakeEdges => {
  const written = { stdout: '', stderr: '' }
  const exits: number[] = []
  const signals = new EventEmitter()
  const collect = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        if (name === 'stdout' && failStdout) return done(failStdout)
        written[name] += String(chunk)
        done()
      },
    })
  return {
    stdout: collect('stdout'),
    stderr: collect('stderr'),
    env,
    on: (name, listener) => signals.on(name, listener),
    exit: (code) => void exits.push(code),
    written,
    exits,
    signal: (name) => signals.emit(name),
  }
}
