// The machine that a figure was measured on: the first line of every run.
import { cpus, release, totalmem, type } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memory_gb: number
  readonly node: string
  readonly os: string
}

/** Describes this machine; cores as scheduled by the system. */
export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
  os: `${type()} ${release()}`,
})
