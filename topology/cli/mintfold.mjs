#!/usr/bin/env -S node --max-semi-space-size=64
// The bin. New objects of the folds live as long as a frame: room for some frames (MB) spares most of the collector's work, a tenth of all
// CPU at ten times today's load.
import { load } from './load.mjs'

const { main, reportBug } = await load(new URL('./main.ts', import.meta.url))
process.on('uncaughtException', (error) => process.exit(reportBug(error)))
process.exit(await main(process.argv.slice(2)))
