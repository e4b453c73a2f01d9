#!/usr/bin/env node
// The bin: loads TypeScript as it is, so that a checkout runs without a build.
import { register } from 'tsx/esm/api'

register()
const { main, reportBug } = await import('./main.ts')
process.on('uncaughtException', (error) => process.exit(reportBug(error)))
process.exit(await main(process.argv.slice(2)))
