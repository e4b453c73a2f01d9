// Runs inside a realm before any detector: removes whatever is not a function of rows, and freezes the rest. realm.ts reads it as text.
//
// The lock guards against mistakes and self-deception; it is not a security boundary: a detector's code runs in this process.

const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf } = Object
const { ownKeys, construct } = Reflect

/** Names that code for Node or browsers expects, and names of the language that give access to time, randomness or memory. */
const REFUSED = (
  'process require module global window self document navigator console performance crypto fetch XMLHttpRequest WebSocket Worker ' +
  'setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask structuredClone Buffer Deno Bun ' +
  'Promise WeakRef FinalizationRegistry SharedArrayBuffer Atomics WebAssembly Intl Temporal ShadowRealm eval Function'
).split(' ')
const OF_LOCALE = [
  ...[Object, Array, Number, BigInt, Date, getPrototypeOf(Uint8Array)].map(({ prototype }) => [prototype, 'toLocaleString']),
  ...['toLocaleUpperCase', 'toLocaleLowerCase', 'localeCompare'].map((name) => [String.prototype, name]),
  ...['toLocaleDateString', 'toLocaleTimeString'].map((name) => [Date.prototype, name]),
]
const RealDate = Date

/** Replaces a property by a function that refuses. */
const refuseCalls = (refuse, holder, name, what) =>
  defineProperty(holder, name, { value: () => refuse(what), writable: false, configurable: false, enumerable: false })

/** Dates are made from unix milliseconds and read in UTC: clock, date strings and the machine's time zone are no function of rows. */
const lockDate = (refuse) => {
  const Dated = function Dated(...args) {
    if (new.target === undefined) return refuse('Date()')
    if (args.length !== 1 || typeof args[0] !== 'number')
      return refuse(args.length === 0 ? 'new Date()' : 'new Date of anything but a number')
    return construct(RealDate, args, new.target)
  }
  Dated.prototype = RealDate.prototype
  defineProperty(RealDate.prototype, 'constructor', { value: Dated })
  Dated.UTC = RealDate.UTC
  for (const name of ['now', 'parse']) refuseCalls(refuse, Dated, name, `Date.${name}`)
  for (const name of ownKeys(RealDate.prototype))
    if (/^(?:[gs]et(?!UTC|Time$)|to(?:String|DateString|TimeString)$)/.test(String(name)))
      refuseCalls(refuse, RealDate.prototype, name, `${String(name)} of a Date, which is in the machine's time zone,`)
  return Dated
}

/** Blocks the constructors of functions, which make code from text and can be reached through any function. */
const lockConstructors = (refuse) => {
  const made = [() => 0, function* () {}, async () => 0, async function* () {}]
  for (const one of made) refuseCalls(refuse, getPrototypeOf(one), 'constructor', 'code from text')
}

/** Makes assigning `name` to an error, or `toString` to an object, create an own property, as if the prototype were not frozen. */
const allowOverride = (holder) => {
  for (const name of ownKeys(holder)) {
    const { value, configurable, writable } = getOwnPropertyDescriptor(holder, name)
    if (!configurable || !writable) continue
    const get = () => value
    const set = function set(other) {
      if (this === holder) throw new TypeError(`${String(name)} of a prototype cannot be changed`)
      defineProperty(this, name, { value: other, writable: true, enumerable: true, configurable: true })
    }
    defineProperty(holder, name, { get, set, enumerable: false, configurable: false })
  }
}

/** Freezes values and everything reachable from them. */
const harden = (...roots) => {
  const seen = new Set()
  const queue = [...roots]
  while (queue.length > 0) {
    const one = queue.pop()
    if (one === null || (typeof one !== 'object' && typeof one !== 'function') || seen.has(one)) continue
    seen.add(one)
    freeze(one)
    queue.push(getPrototypeOf(one))
    for (const name of ownKeys(one)) {
      const { value, get, set } = getOwnPropertyDescriptor(one, name)
      queue.push(value, get, set)
    }
  }
}

/** Objects that syntax creates without naming their constructors. */
const unnamed = () => [
  ...[[][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ''[Symbol.iterator](), 'a'.matchAll(/a/g)],
  ...[(function* () {})(), () => 0, function* () {}, async () => 0, async function* () {}, new Uint8Array(0), /a/],
]

/** Wraps functions of the host in functions of this realm: everything that a detector can reach must belong to the realm. */
const helperOf = (host) => {
  if (typeof host !== 'function') return host
  return (a, b, c) => {
    try {
      return host(a, b, c)
    } catch (failure) {
      throw new TypeError(String(failure.message))
    }
  }
}

/**
 * `report` is called for each use of a refused name and each write to a row, with its location (`line:column` in `script`, or empty),
 * before the error is thrown, because code may catch it. Returns the detector's globalThis, and functions for the host.
 */
const lock = (report, reason, script, helpers) => {
  let showsPlace = false
  Error.prepareStackTrace = (error, sites) => {
    if (!showsPlace) return String(error)
    const site = sites.find((one) => one.getScriptNameOrSourceURL() === script)
    return site === undefined ? '' : `${site.getLineNumber()}:${site.getColumnNumber()}`
  }
  const placeOf = (error) => {
    showsPlace = true
    const stack = error instanceof Error ? error.stack : ''
    showsPlace = false
    return /^\d+:\d+$/.test(String(stack)) ? stack : ''
  }
  const stop = (message) => {
    report(message, placeOf(new Error()))
    throw new TypeError(message)
  }
  const refuse = (what) => stop(`${what} is refused: ${reason}`)
  const wrote = (what) => stop(`writes to its input: ${what}`)
  const Dated = lockDate(refuse)
  for (const [holder, name] of OF_LOCALE) refuseCalls(refuse, holder, name, `${name}, which depends on the machine's language,`)
  refuseCalls(refuse, Math, 'random', 'Math.random')
  refuseCalls(refuse, Array, 'fromAsync', 'Array.fromAsync')
  for (const name of ownKeys(RegExp)) if (!['length', 'name', 'prototype'].includes(name)) delete RegExp[name]
  lockConstructors(refuse)
  const errors = [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]
  for (const { prototype } of [Object, ...errors]) allowOverride(prototype)

  const scope = {}
  const define = (name, descriptor) => {
    for (const holder of [globalThis, scope]) defineProperty(holder, name, { enumerable: false, configurable: false, ...descriptor })
  }
  for (const name of REFUSED) define(name, { get: () => refuse(name), set: () => refuse(name) })
  for (const name of ownKeys(globalThis)) {
    const { value, configurable } = getOwnPropertyDescriptor(globalThis, name)
    if (REFUSED.includes(name) || !configurable || name === 'globalThis') continue
    define(name, { value: name === 'Date' ? Dated : value, writable: false })
  }
  defineProperty(scope, 'globalThis', { value: scope })
  const all = new Map(Object.entries(helpers).map(([name, host]) => [name, helperOf(host)]))
  for (const kind of ['mint', 'curve']) all.set(`${kind}Detector`, (spec) => freeze({ ...spec, of: kind }))
  harden(scope, ...unnamed(), ...all.values())
  return { scope, placeOf, wrote, helper: (name) => all.get(name), settingsOf: (json) => freeze(JSON.parse(json)) }
}

globalThis.lock = lock
