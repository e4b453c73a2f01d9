// Processes that run jobs, crash, restart, pause and move jobs: in order, or while the previous owner still believes it owns them.
import { EngineError, messageOf } from '../../schemas/errors.ts'
import type { Batch } from '../../topology/engine/exchange/exchange-record.ts'
import { Dice } from './dice.ts'
import type { Job, Seat } from './job.ts'
import type { Actor, Machine } from './machine.ts'
import { ProcessLog } from './process-log.ts'

const RESTART_MS_MAX = 60
const PAUSE_MS_MAX = 800
const JUMP_MS_MAX = 3_600_000
const HAND_OVER_LATE_MS_MAX = 100
/** Simulated time, ms, that each clock read of a job takes. */
const LOOK_MS = 0.2
/** Failures that injected faults may cause: the process ends and restarts. Any other failure is a bug. */
const WORLD_FAILURES = new Set(['fenced', 'log_full', 'log_unreachable'])

interface Desk {
  readonly seat: Seat
  isOpen: boolean
}
class Process implements Actor {
  isAlive = true
  isPaused = false
  skewMs = 0
  readonly log: ProcessLog
  readonly desks = new Map<string, Desk>()

  constructor(machine: Machine, ends: Map<string, number>) {
    this.log = new ProcessLog(machine, this, ends)
  }
}

export class Cluster {
  /** One entry for each process that ended because its owner was fenced. */
  readonly replaced: string[] = []
  readonly #machine: Machine
  readonly #jobs: readonly Job[]
  /** By index; undefined while the process is down. */
  readonly #processes: (Process | undefined)[]
  readonly #homes = new Map<string, number>()
  /** Jobs that wait until the previous process releases them. */
  readonly #moving = new Set<string>()
  readonly #ends = new Map<string, number>()
  readonly #dice: Dice

  constructor(seed: number, machine: Machine, jobs: readonly Job[], processes: number) {
    this.#machine = machine
    this.#jobs = jobs
    this.#dice = new Dice(seed, 'cluster')
    this.#processes = new Array<undefined>(processes).fill(undefined)
    for (const { id } of jobs) this.#homes.set(id, this.#dice.int(0, processes - 1))
    machine.onCommit((ends) => {
      for (const [name, end] of ends) this.#ends.set(name, end)
      for (const process of this.#running()) process.log.notify(ends.keys())
    })
    for (let at = 0; at < processes; at++) this.#start(at)
  }
  /** Before each step: random faults of processes. */
  disturb(): void {
    const { faults } = this.#machine
    const processes = this.#processes.length
    if (faults.draw('process crashes')) this.#crash(this.#dice.int(0, processes - 1))
    if (faults.draw('power is lost')) for (let at = 0; at < processes; at++) this.#crash(at)
    if (faults.draw('process pauses')) this.#pause(this.#processes[this.#dice.int(0, processes - 1)])
    if (faults.draw('clock jumps')) {
      const process = this.#processes[this.#dice.int(0, processes - 1)]
      if (process) process.skewMs += this.#dice.int(1, JUMP_MS_MAX)
    }
    if (faults.draw('job is taken over')) this.#takeOver(this.#dice.pick(this.#jobs))
    if (faults.draw('job moves')) this.#move(this.#dice.pick(this.#jobs))
    this.#overtake()
  }
  /** A limit that a job exceeds, as text. */
  excess(): string | undefined {
    for (const { desks } of this.#running())
      for (const { seat } of desks.values()) {
        const excess = seat.excess?.()
        if (excess !== undefined) return excess
      }
    return undefined
  }
  /** All messages are folded, committed and visible to every process. */
  get isQuiet(): boolean {
    return (
      this.#moving.size === 0 &&
      this.#processes.every((process) => process !== undefined && !process.isPaused && !process.log.isHearing) &&
      this.#jobs.every(({ id }) => this.#desk(id)?.isOpen === true && this.#desk(id)?.seat.isCaughtUp === true)
    )
  }
  isCaughtUp(id: string): boolean {
    return this.#desk(id)?.seat.isCaughtUp === true
  }
  rows(): string[] {
    return this.#jobs.flatMap(({ id }) => this.#desk(id)?.seat.rows?.() ?? []).sort()
  }
  /** The pending work of a run that never becomes idle. */
  describe(): string {
    const late = this.#jobs.filter(({ id }) => !this.isCaughtUp(id)).map(({ id }) => id)
    return `waits for ${late.join(', ')}; moving: ${[...this.#moving].join(', ')}`
  }

  *#running(): Iterable<Process> {
    for (const process of this.#processes) if (process !== undefined) yield process
  }
  #desk(id: string): Desk | undefined {
    return this.#processes[this.#homes.get(id) ?? 0]?.desks.get(id)
  }
  #start(at: number): void {
    const process = new Process(this.#machine, this.#ends)
    this.#processes[at] = process
    for (const job of this.#jobs) if (this.#homes.get(job.id) === at && !this.#moving.has(job.id)) this.#open(at, job)
  }
  #pause(process: Process | undefined): void {
    if (process) process.isPaused = true
    this.#machine.time.after(this.#dice.int(1, PAUSE_MS_MAX), () => {
      if (process) process.isPaused = false
    })
  }
  /** Pauses a process during a restore while another takes the job over. */
  #overtake(): void {
    const restoring = this.#jobs.filter(({ id }) => this.#desk(id)?.isOpen === false)
    if (restoring.length === 0 || !this.#machine.faults.draw('restore is overtaken')) return
    const job = this.#dice.pick(restoring)
    this.#pause(this.#processes[this.#homes.get(job.id) ?? 0])
    this.#takeOver(job)
  }
  #crash(at: number): void {
    const process = this.#processes[at]
    if (process === undefined) return
    process.isAlive = false
    process.log.die()
    this.#processes[at] = undefined
    this.#machine.time.after(this.#dice.int(1, RESTART_MS_MAX), () => this.#start(at))
    for (const id of process.desks.keys()) this.#settleIn(id)
  }
  #open(at: number, job: Job): void {
    const process = this.#processes[at]
    if (process === undefined) return
    const seat = job.open({
      log: process.log,
      pace: () => {
        this.#machine.time.nowMs += LOOK_MS
        return this.#machine.time.nowMs + process.skewMs
      },
      handOver: (id, batch) => this.#handOver(process, id, batch),
    })
    const desk = { seat, isOpen: false }
    process.desks.set(job.id, desk)
    this.#work(desk).then(
      () => {
        if (!process.isAlive) return
        if (process.desks.get(job.id) === desk) process.desks.delete(job.id)
        this.#settleIn(job.id)
      },
      (failure: unknown) => this.#failed(process, job, failure),
    )
  }
  async #work(desk: Desk): Promise<void> {
    await desk.seat.restore()
    desk.isOpen = true
    await desk.seat.run()
  }
  #failed(process: Process, { id }: Job, failure: unknown): void {
    if (!process.isAlive) return
    const code = failure instanceof EngineError ? failure.code : 'bug'
    if (code === 'fenced') this.replaced.push('owner is fenced')
    else if (!WORLD_FAILURES.has(code)) this.#machine.invariants.broken.push(`${id} ended with ${code}: ${messageOf(failure)}`)
    this.#crash(this.#processes.indexOf(process))
  }
  #takeOver(job: Job): void {
    if (this.#moving.has(job.id)) return
    const at = this.#elsewhere(job)
    this.#homes.set(job.id, at)
    this.#open(at, job)
  }
  #move(job: Job): void {
    const desk = this.#desk(job.id)
    if (desk?.isOpen !== true || this.#moving.has(job.id)) return
    this.#moving.add(job.id)
    this.#homes.set(job.id, this.#elsewhere(job))
    desk.seat.stop()
  }
  /** Opens a moving job in its new process, after the previous one has released it. */
  #settleIn(id: string): void {
    if (!this.#moving.delete(id)) return
    const job = this.#jobs.find((one) => one.id === id)
    if (job !== undefined) this.#open(this.#homes.get(id) ?? 0, job)
  }
  #elsewhere({ id }: Job): number {
    const processes = this.#processes.length
    return ((this.#homes.get(id) ?? 0) + this.#dice.int(1, Math.max(1, processes - 1))) % processes
  }
  /** Within the process, and to the processes that were told what this one has not committed. */
  #handOver(process: Process, id: string, batch: Batch): void {
    this.#deliver(process, id, batch)
    for (const other of this.#running())
      if (other !== process && !this.#machine.faults.draw('message is lost')) this.#deliver(other, id, batch)
  }
  #deliver(process: Process, id: string, batch: Batch): void {
    const { faults } = this.#machine
    const arrive = (): void => {
      const desk = process.desks.get(id)
      if (process.isAlive && desk?.isOpen) desk.seat.offer?.(batch)
    }
    if (faults.draw('batch is not handed over')) return
    const lateMs = faults.delayMs('batch is handed over late', HAND_OVER_LATE_MS_MAX)
    if (lateMs > 0) this.#machine.op(process, arrive, lateMs)
    else arrive()
    if (faults.draw('batch is handed over twice')) this.#machine.op(process, arrive)
  }
}
