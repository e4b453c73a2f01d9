// Bundles the program and its threads ahead of the first start: a container image has no bundler, and its files are read-only.
import { readdirSync } from 'node:fs'
import { bundle } from './load.mjs'

const THREADS = new URL('./threads/', import.meta.url)
const threads = readdirSync(THREADS).filter((name) => name.endsWith('-thread.ts'))

for (const entry of [new URL('./main.ts', import.meta.url), ...threads.map((name) => new URL(name, THREADS))])
  process.stdout.write(`${await bundle(entry)}\n`)
