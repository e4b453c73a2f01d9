// Programs that tests start as processes or threads, next to the product's own: one pass of the bundler makes all of them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../tools/project-files.ts'

/** Paths of the programs. A program that is missing here is bundled by the first process that needs it. */
export const PROGRAMS: readonly string[] = [
  'query-api/guides/agent.ts',
  'test/contract/snapshot-writer.ts',
  'test/contract/table-writer.ts',
  'test/e2e/payment/shop-process.ts',
  'test/fixtures/kafka-worker.ts',
  'test/fixtures/killed-folds.ts',
  'test/fixtures/rebuild-worker.ts',
  'test/integration/history-server-holder.ts',
  'test/integration/kafka/kafka-writer.ts',
  'test/integration/lmdb-writer.ts',
  'test/integration/rebuild-process.ts',
  'test/integration/scratch-writer.ts',
  'test/integration/sink-process.ts',
  'test/integration/two-chains-process.ts',
  'test/soak/alerts-process.ts',
  'test/soak/demo-thread.ts',
  'test/soak/demo-up.ts',
].map((path) => join(ROOT, path))

const missing = PROGRAMS.filter((path) => !existsSync(path))
if (missing.length > 0) throw new Error(`test/services/programs.ts names programs that do not exist: ${missing.join(', ')}`)
