// After all test files: ends the services that they started.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { JEST_SERVICES, type JestServices } from './jest-setup.ts'
import { SOCKET_VARIABLE } from './shared.ts'

const tearDown = async (): Promise<void> => {
  const { [JEST_SERVICES]: services } = globalThis as { [JEST_SERVICES]?: JestServices }
  await services?.stop()
  rmSync(dirname(process.env[SOCKET_VARIABLE] ?? ''), { recursive: true, force: true })
}

export default tearDown
