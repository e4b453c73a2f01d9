// An upgrade on Kafka as an operator does it, each role in its own process: shadow, diff, promote, and back again, under load, with kills,
// while a client polls a server. The newer program is a copy of this one with a changed detector and a changed shape of rows.
import { type NewerProgram, newerProgram } from '../../fixtures/newer-program.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { KafkaWorld, type Outcome } from '../../soak/kafka-world.ts'
import type { UpProcess } from '../../soak/up-process.ts'
import { until } from '../../tools/until.ts'
import { describeEngine } from '../history-server-given.ts'

const PLAN = { seed: 3, rate: 6, frames: 240, partitions: 2 }
const SPEED = 4
const POLL_MS = 50

/** What a client saw that polls one server. */
interface Seen {
  answers: number
  missing: string[]
}

const polling = (url: string): { readonly seen: Seen; stop(): Promise<void> } => {
  const seen: Seen = { answers: 0, missing: [] }
  let isOver = false
  const poll = async (): Promise<void> => {
    while (!isOver) {
      const response = await fetch(`${url}/v1/launches/recent`).catch(String)
      if (typeof response !== 'string' && response.status === 200) seen.answers++
      else seen.missing.push(typeof response === 'string' ? response : `${response.status} ${await response.text()}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  const polls = poll()
  return {
    seen,
    stop: async () => {
      isOver = true
      await polls
    },
  }
}

/** Topics in which the rebuilds of both promotions leave records of their own. What stands there is compared in the history. */
const isLeftOut = (part: string): boolean => /^(flags|outcomes|judgements|exchange)\/\d+$/.test(part)
const FOLLOWS = 'the shadow of solana follows'

const ended = (process: UpProcess): Promise<void> => until(() => !process.isAlive)

interface Document {
  readonly chain: string
  readonly differences: number
  readonly kinds: readonly { readonly kind: string; readonly fields: Readonly<Record<string, number>> }[]
}
const diffOf = async (start: (out: (line: string) => void) => UpProcess): Promise<readonly Document[]> => {
  const documents: Document[] = []
  await ended(start((line) => void documents.push(JSON.parse(line) as Document)))
  return documents
}

describeEngine('ClickHouse and', () => {
  describeKafka('an upgrade beside the running version', () => {
    let world: KafkaWorld
    let expected: Outcome
    let newer: NewerProgram
    beforeAll(async () => {
      newer = newerProgram()
      world = await KafkaWorld.open(PLAN, await sharedKafka())
      expected = await world.reference()
    }, START_MS_MAX)
    afterAll(async () => {
      await world.close()
      newer.remove()
    })

    const newerCommand = (...args: readonly string[]): UpProcess => world.command('newer', args, { tree: newer.tree })
    /** Both lines of the end: of a promotion, and of one that was done before. */
    const promoted = async (command: UpProcess): Promise<void> => {
      await command.printed('promoted')
      await ended(command)
    }

    test('shadow, diff, promote and back, with kills, leave no answer missing and nothing lost or doubled', async () => {
      const older = world.process()
      const server = await world.serve('serve')
      await Promise.all([older.printed('processes from'), server.printed('answers on')])
      const capture = world.capture(SPEED)
      await until(async () => (await fetch(`${server.url}/v1/launches/recent`)).status === 200)
      const client = polling(server.url)

      const killed = newerCommand('process', '--shadow')
      await killed.printed(FOLLOWS)
      await killed.kill()
      const shadow = newerCommand('process', '--shadow')
      await shadow.printed(FOLLOWS)
      const text: string[] = []
      const printing = world.command('newer', ['diff', '--examples', '1'], { tree: newer.tree, out: (line) => void text.push(line) })
      const documents = await diffOf((out) => world.command('newer', ['diff', '--json'], { tree: newer.tree, out }))
      expect(documents).toMatchObject([
        { chain: 'solana', differences: expect.any(Number) },
        { chain: 'alt', differences: 0 },
      ])
      expect(documents[0]?.kinds.find(({ kind }) => kind === 'flag curve_drained')).toMatchObject({ added: expect.any(Number) })
      expect(documents[0]?.kinds.find(({ kind }) => kind === 'flag creator_sold')).toMatchObject({ changed: 0, added: 0, removed: 0 })
      expect(documents[0]?.kinds.find(({ kind }) => kind === 'rows of creator')?.fields).toMatchObject({
        'figures.grown': expect.any(Number),
      })

      await ended(printing)
      expect(text[0]).toMatch(/^solana: \d+ differences; frames \d+ to \d+$/)

      const interrupted = newerCommand('promote')
      await interrupted.printed('the shadow ends').catch(() => {})
      await shadow.kill()
      await ended(interrupted)
      const again = newerCommand('process', '--shadow')
      await Promise.race([again.printed(FOLLOWS), again.printed('there is nothing to compare')])
      await promoted(newerCommand('promote'))
      await promoted(newerCommand('promote'))
      await ended(older)
      expect(older.has('the stores were written by version')).toBe(true)

      const former = world.command('former', ['process', '--shadow'])
      await former.printed(FOLLOWS)
      const refused = world.command('former', ['promote'])
      await ended(refused)
      expect(refused.has('use mintfold promote --back')).toBe(true)
      await promoted(world.command('former', ['promote', '--back']))
      await ended(again)
      expect(again.has('mintfold promote --back has replaced')).toBe(true)
      await capture.printed('the source has ended')
      expect(await world.arrived(expected, { isLeftOut })).toEqual([])
      await client.stop()
      expect(client.seen).toMatchObject({ missing: [] })
      expect(client.seen.answers).toBeGreaterThan(100)
    }, 300_000)
  })
})
