// The jars of broker and registry: fetched by maven once, then kept in the user's cache.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const KAFKA_VERSION = '4.3.1'
/** The newest that runs on Java 17. */
const REGISTRY_VERSION = '2.6.13.Final'
const POM = fileURLToPath(new URL('./pom.xml', import.meta.url))
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

const cacheDir = (): string => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'mintfold-test-services')

/** Tries without the network first: a warm local repository needs none. Maven also writes its notes to `cwd`, the folder it fills. */
const maven = async (cwd: string, args: readonly string[]): Promise<void> => {
  const quiet = ['-q', '-B', ...args]
  const options = { cwd, maxBuffer: OUTPUT_BYTES_MAX }
  await run('mvn', ['-o', ...quiet], options).catch(() => run('mvn', quiet, options))
}

/** Fills a folder of the cache once; of several processes that do so at once, the first to finish wins. */
export const filled = async (name: string, fill: (dir: string) => Promise<void>): Promise<string> => {
  const dir = join(cacheDir(), name)
  if (existsSync(dir)) return dir
  const draft = `${dir}.${process.pid}-${Date.now()}`
  await mkdir(draft, { recursive: true })
  try {
    await fill(draft)
    await rename(draft, dir)
  } catch (failure) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(dir)) throw failure
  }
  return dir
}

/** A folder with the broker's jars. */
export const brokerJars = (): Promise<string> =>
  filled(`kafka-${KAFKA_VERSION}`, (dir) =>
    maven(dir, ['-f', POM, 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${dir}`]),
  )

/** The registry's jar; its other jars are next to it. */
export const registryJar = async (): Promise<string> => {
  const artifact = `io.apicurio:apicurio-registry-app:${REGISTRY_VERSION}:tar.gz:all`
  const dir = await filled(`registry-${REGISTRY_VERSION}`, (into) =>
    maven(into, ['dependency:unpack', `-Dartifact=${artifact}`, `-DoutputDirectory=${into}`]),
  )
  return join(dir, `apicurio-registry-app-${REGISTRY_VERSION}-runner.jar`)
}
