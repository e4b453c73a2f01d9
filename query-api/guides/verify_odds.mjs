#!/usr/bin/env node
// Checks that logged odds are included in the Merkle roots of their hours: node verify_odds.mjs FILE [ROOTS], or - for stdin.
// Needs Node 20, no package.
//
// FILE: responses of /v1/odds/proof, or their `data`, as JSON: one, a list, or one per line. Prints one line per value: `ok` with its root,
// or `failed` with the reason. The exit code is 1 if a value fails.
// ROOTS: a JSON file with roots that you saved when they were published: [{"hour":..., "n":..., "root":"..."}, ...], the form of
// `data.ledger.newest` of /v1/calibration. Without it, a root that was replaced later is not noticed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const HOUR_S = 3600
const FILE_BYTES_MAX = 256 * 1024 * 1024
const HEADS = ['rug_within_300s', 'true_graduation']

class Invalid extends Error {}
const need = (condition, message) => {
  if (!condition) throw new Invalid(message)
}
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()
const bytes = (text, name) => {
  need(typeof text === 'string' && /^[0-9a-f]{64}$/.test(text), `${name} is not 64 hex digits`)
  return Buffer.from(text, 'hex')
}
const whole = (value, name) => {
  need(Number.isSafeInteger(value) && value >= 0, `${name} is not a whole number`)
  return String(value)
}
const word = (value, name) => {
  need(typeof value === 'string' && value !== '' && !/\s/.test(value), `${name} is not a nonempty text without spaces`)
  return value
}

/** The text whose hash is the leaf. */
const lineOf = (value) => {
  need(HEADS.includes(value.head), 'value.head is unknown')
  need(typeof value.is_shadow === 'boolean', 'value.is_shadow is not true or false')
  need(value.probability === value.ppm / 1e6, 'value.probability is not value.ppm / 1000000')
  const id = word(value.odds_id, 'value.odds_id')
  const suffix = `:odds:${value.mint}:${value.head}:${value.model_id}`
  need(id.endsWith(suffix), `value.odds_id does not end with ${suffix}`)
  return [
    'mintfold-odds-1',
    id,
    word(value.mint, 'value.mint'),
    value.head,
    whole(value.age_s, 'value.age_s'),
    whole(value.t0, 'value.t0'),
    whole(value.ppm, 'value.ppm'),
    word(value.model_id, 'value.model_id'),
    bytes(value.inputs_hash, 'value.inputs_hash').toString('hex'),
    whole(value.at, 'value.at'),
    value.is_shadow ? 'shadow' : 'live',
  ].join('\t')
}

const check = (data, roots) => {
  need(data?.state === 'proven', `there is no proof: state is ${JSON.stringify(data?.state)}`)
  need(typeof data.value === 'object' && data.value !== null, 'value is missing')
  const line = lineOf(data.value)
  need(data.line === line, 'line does not match value')
  let node = sha256(Buffer.of(0), Buffer.from(line, 'utf8'))
  need(bytes(data.leaf, 'leaf').equals(node), 'leaf is not the hash of line')
  const hour = whole(data.hour, 'hour')
  need(data.hour % HOUR_S === 0 && data.value.at >= data.hour && data.value.at < data.hour + HOUR_S, 'value.at is not within hour')
  need(Array.isArray(data.proof) && data.proof.length <= 64, 'proof is not a list of hashes')
  for (const [at, text] of data.proof.entries()) {
    const other = bytes(text, `proof[${at}]`)
    node = sha256(Buffer.of(1), ...[node, other].sort(Buffer.compare))
  }
  const root = sha256(Buffer.of(2), Buffer.from(`${hour}\t${whole(data.n, 'n')}\t`), node)
  need(bytes(data.root, 'root').equals(root), `root is not the one that leaf and proof give, ${root.toString('hex')}`)
  const known = roots?.find((one) => one.hour === data.hour)
  need(roots === undefined || known !== undefined, 'ROOTS has no root of this hour')
  need(known === undefined || (known.root === data.root && known.n === data.n), `ROOTS has another root of this hour: ${known?.root}`)
}

const read = (path) => {
  const text = readFileSync(path === '-' ? 0 : path, 'utf8')
  need(text.length <= FILE_BYTES_MAX, `the file has more than ${FILE_BYTES_MAX} characters`)
  try {
    return [JSON.parse(text)].flat()
  } catch {
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
  }
}

const main = ([file, rootsFile]) => {
  if (file === undefined) {
    console.error('usage: node verify_odds.mjs FILE [ROOTS]')
    return 2
  }
  let failed = 0
  try {
    const roots = rootsFile === undefined ? undefined : read(rootsFile)
    const answers = read(file)
    need(answers.length > 0, 'the file contains no value')
    for (const answer of answers) {
      const data = answer?.data ?? answer
      const name = String(data?.value?.odds_id ?? 'a value without an id').replace(/[^\x20-\x7e]/g, '?')
      try {
        check(data, roots)
        console.log(`ok ${name} root ${data.root} of hour ${data.hour}, ${data.n} values`)
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        failed++
        console.log(`failed ${name}: ${error.message}`)
      }
    }
  } catch (error) {
    console.error(`${file}: ${error.message}`)
    return error instanceof Invalid || error instanceof SyntaxError ? 1 : 3
  }
  return failed === 0 ? 0 : 1
}
process.exitCode = main(process.argv.slice(2))
