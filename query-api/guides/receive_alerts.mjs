#!/usr/bin/env node
// Receives alerts of a generic target: node receive_alerts.mjs PORT [SECRET]. Needs Node 20, no package.
//
// Returns the challenge that is sent before a subscription is sold, and prints each alert as one line of JSON. With the SECRET of the
// bought answer, alerts with a wrong signature or an old timestamp are refused. An alert can arrive twice, with the same `id`.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const AGE_S_MAX = 300

const [port, secret] = process.argv.slice(2)
if (port === undefined || !/^\d+$/.test(port)) {
  process.stderr.write('usage: node receive_alerts.mjs PORT [SECRET]\n')
  process.exit(2)
}

const isSigned = ({ headers }, body) => {
  if (secret === undefined) return true
  const at = String(headers['x-mintfold-timestamp'])
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`)
  const given = Buffer.from(String(headers['x-mintfold-signature-stamped']))
  return given.length === expected.length && timingSafeEqual(given, expected) && Math.abs(Date.now() / 1_000 - Number(at)) <= AGE_S_MAX
}

const answer = async (request, response) => {
  const body = await text(request)
  const { challenge } = JSON.parse(body)
  if (challenge !== undefined) return response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ challenge }))
  if (!isSigned(request, body)) return response.writeHead(401).end()
  process.stdout.write(`${body}\n`)
  return response.writeHead(204).end()
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(400).end())
})
server.listen(Number(port), '127.0.0.1', () => process.stderr.write(`waiting for alerts on http://127.0.0.1:${server.address().port}/\n`))
