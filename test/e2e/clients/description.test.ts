// Schemathesis checks every route against /openapi.json: run with PYTHON_TESTS=yes, and by CI; elsewhere skipped with a notice.
import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serverOptions } from '../../../query-api/http/server.ts'
import { offGate } from '../../../query-api/payment/off-gate.ts'
import { tickOf } from '../../../schemas/position.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { harness } from '../../integration/api-harness.ts'
import { describeGiven } from '../../services/describe-given.ts'
import { INSTALL_MS_MAX, isPythonAsked, pythonWith } from '../../services/python.ts'
import { startLocal } from '../../tools/local-server.ts'
import { flagRow, key, launchRow, liveState, NOW_S } from '../../unit/query-api/given-mint.ts'

const run = promisify(execFile)
const STREAM = fileURLToPath(new URL('./description.py', import.meta.url))
const CHECKS = ['response_schema_conformance', 'status_code_conformance', 'content_type_conformance', 'response_headers_conformance']
const RUN_MS_MAX = 240_000

/** Flags that are old enough for the stream: one of an instruction, one of a tick. */
const withFlags = (api: ReturnType<typeof harness>): void => {
  const [number, firstSeenAt] = [1_000_000, NOW_S - 400]
  const positions = [{ number, tx: 1, outer: 0, inner: 0 }, tickOf('solana', number)]
  for (const [index, position] of positions.entries()) {
    const flags = [flagRow('curve_drained', { ...position, firstSeenAt, findingId: `finding-${index}` })]
    api.view.put(key(index + 1), liveState({ launch: launchRow({ at: firstSeenAt - 60 }), flags }))
  }
  const folded = { number: number + 1_000, time: NOW_S }
  api.view.setStatus({ folded, tip: folded })
}

const tests = (): void => {
  let shop: Awaited<ReturnType<typeof startLocal>>
  beforeAll(async () => {
    let listener: RequestListener = (_request, response) => void response.writeHead(503).end()
    shop = await startLocal(createServer(serverOptions, (request, response) => listener(request, response)))
    const api = harness({ history: new SetHistory(), till: offGate(), baseUrl: shop.url })
    withFlags(api)
    listener = api.app.callback()
  })
  afterAll(() => shop.close())

  test(
    'every route answers as described, and so does every event of the stream',
    async () => {
      const python = await pythonWith(['schemathesis==4.32.5'])
      const { stdout } = await run(python, [STREAM, shop.url], { timeout: RUN_MS_MAX })
      expect(stdout).toMatch(/^id: solana:1000000\.~$/m)
      const document = `${shop.url}/openapi.json`
      const options = ['--exclude-path', '/v1/stream/flags', '--checks', CHECKS.join(','), '--max-examples', '20', '--seed', '1']
      const found = await run(join(dirname(python), 'schemathesis'), ['run', document, ...options], { timeout: RUN_MS_MAX }).then(
        () => '',
        ({ stdout, message }: { stdout?: string; message: string }) => stdout ?? message,
      )
      expect(found).toBe('')
    },
    RUN_MS_MAX + INSTALL_MS_MAX,
  )
}

describeGiven('the description', tests, {
  isThere: isPythonAsked,
  lack: 'set PYTHON_TESTS=yes to make a virtual environment with schemathesis',
})
