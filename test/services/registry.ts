// A real schema registry with Confluent's REST interface on loopback: Apicurio, from its jar.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registryJar } from './jars.ts'
import { type Jvm, onFreePort, startJvm } from './jvm.ts'

export interface Registry extends Jvm {
  readonly url: string
  readonly port: number
  readonly dir: string
}

export interface RegistryOptions {
  /** Default: a free port. */
  readonly port?: number
  /** Directory of schemas and log. If given, it survives `stop`, and schemas keep their ids; otherwise schemas are in memory. */
  readonly dir?: string
}

/** Starts a registry that checks compatibility as Confluent's does by default: BACKWARD. Its output is in `registry.log`. */
export const startRegistry = async ({ port, dir }: RegistryOptions = {}): Promise<Registry> => {
  const jar = await registryJar()
  const home = dir ?? (await mkdtemp(join(tmpdir(), 'mintfold-registry-')))
  return onFreePort(port, async (on) => {
    const database = dir === undefined ? `mem:registry-${on}` : `file:${join(home, 'schemas')}`
    const jvm = await startJvm({
      args: [
        ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'],
        ...['-Dquarkus.http.host=127.0.0.1', `-Dquarkus.http.port=${on}`, `-Dquarkus.datasource.jdbc.url=jdbc:h2:${database}`],
        ...['-jar', jar],
      ],
      ready: 'Listening on: http',
      logFile: join(home, 'registry.log'),
      removed: dir === undefined ? home : null,
    })
    const stop = async (): Promise<void> => {
      await jvm.stop()
      if (dir === undefined) await rm(home, { recursive: true, force: true })
    }
    const url = `http://127.0.0.1:${on}/apis/ccompat/v7`
    await checkBackward(url)
    return { ...jvm, stop, url, port: on, dir: home }
  })
}

/** Runs a registry for the duration of `run`. */
export const withRegistry = async <Result>(run: (url: string) => Promise<Result>): Promise<Result> => {
  const registry = await startRegistry()
  try {
    return await run(registry.url)
  } finally {
    await registry.stop()
  }
}

/** Turns on the check of compatibility: by default Apicurio checks nothing. */
const checkBackward = async (url: string): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/config`, { method: 'PUT', headers, body: JSON.stringify({ compatibility: 'BACKWARD' }) })
  if (!answer.ok) throw new Error(`the registry refused to set its compatibility: ${answer.status} ${await answer.text()}`)
}
