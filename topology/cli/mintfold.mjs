#!/usr/bin/env -S node --max-semi-space-size=64
// The bin: loads TypeScript as it is, so that a checkout runs without a build. New objects of the folds live as long as a frame: room for
// some frames (MB) spares most of the collector's work, a tenth of all CPU at ten times today's load.
import { register } from 'tsx/esm/api'

register()
const { main, reportBug } = await import('./main.ts')
process.on('uncaughtException', (error) => process.exit(reportBug(error)))
process.exit(await main(process.argv.slice(2)))
