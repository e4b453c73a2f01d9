// Loaded with --require: each SIGUSR2 steps the wall clock of the process by up to CLOCK_STEP_MS_MAX (by default an hour), in either
// direction. Monotonic clocks, such as performance.now and timers, stay as they are, as on a machine whose clock is set.
const STEP_MS_MAX = Number(process.env.CLOCK_STEP_MS_MAX ?? 3_600_000)
const RealDate = Date
const realNow = Date.now
let stepMs = 0

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [realNow() + stepMs] : args, newTarget),
  get: (target, name) => (name === 'now' ? () => realNow() + stepMs : Reflect.get(target, name)),
})
process.on('SIGUSR2', () => {
  stepMs = Math.round((2 * Math.random() - 1) * STEP_MS_MAX)
})
