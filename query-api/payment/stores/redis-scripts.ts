// The Redis scripts of the idempotency store. Keys are built in redis-store.ts; all are in one hash slot.

/**
 * The identity that a payer's identifier is bound to. Older versions bind an identifier alone (`shared`), and its entry names the payer;
 * without an entry the payment is in progress, and counts as the payer's, unless its process has died.
 */
const BOUND = `
local function bound(own, shared, payer, root)
  local identity = redis.call('GET', own)
  if identity then return identity end
  identity = redis.call('GET', shared)
  if not identity then return false end
  local entry = redis.call('GET', root .. 'entry:' .. identity)
  if entry then return cjson.decode(entry).payer == payer and identity end
  return redis.call('EXISTS', root .. 'claim:' .. identity) == 1 and identity
end`

/** Keys: entry, identifier of the payer, shared identifier. Arguments: payer, root of all keys. */
export const HAS = `
${BOUND}
if redis.call('EXISTS', KEYS[1]) == 1 or bound(KEYS[2], KEYS[3], ARGV[1], ARGV[2]) then return 1 end
return 0`

/**
 * Keys: entry, answer, claim, identifier of the payer, refusal, shared identifier. Arguments: owner, lease ms, identity, ms for which an
 * identifier is bound (0: none was sent), payer, root of all keys.
 */
export const CLAIM = `
${BOUND}
if ARGV[4] ~= '0' then
  local other = bound(KEYS[4], KEYS[6], ARGV[5], ARGV[6])
  if other and other ~= ARGV[3] then return {'bound', other} end
end
if redis.call('EXISTS', KEYS[3]) == 1 then return {'busy'} end
local refusal = redis.call('GET', KEYS[5])
if refusal then return {'refused', refusal} end
redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[2])
if ARGV[4] ~= '0' then redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[4]) end
return {'claimed', redis.call('GET', KEYS[1]) or '', redis.call('GET', KEYS[2]) or ''}`

/** Keys: claim. Arguments: owner, lease ms. */
export const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`

/** Keys: claim, identifier of the payer, shared identifier. Arguments: owner, identity, 1 if they remain bound to the payment. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for _, identifier in ipairs({KEYS[2], KEYS[3]}) do
  if ARGV[3] == '0' and redis.call('GET', identifier) == ARGV[2] then redis.call('DEL', identifier) end
end
return redis.call('DEL', KEYS[1])`

const FORGET = `
local function forget(identity)
  local bytes = redis.call('HGET', sizes, identity)
  if bytes then
    redis.call('DECRBY', total, bytes)
    redis.call('HDEL', sizes, identity)
  end
  redis.call('ZREM', answers, identity)
end`

const NAMES = 'local known, answers, sizes, total = KEYS[4], KEYS[5], KEYS[6], KEYS[7]'
const NOW = `local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`

/**
 * Keys: entry, answer, claim, known (identities by expiry), answers (identities with an answer, by expiry), sizes (bytes of each answer),
 * total (their sum), shared identifier (bound too, for processes of older versions). Arguments: owner, identity, entry, ms to keep the
 * entry, answer (empty: none), ms to keep the answer, max entries, max bytes, max removals at once, 1 if there is an identifier.
 */
export const PUT = `
${NAMES}
${FORGET}
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 'lost' end
${NOW}
for _, identity in ipairs(redis.call('ZRANGEBYSCORE', answers, '-inf', now, 'LIMIT', 0, ARGV[9])) do forget(identity) end
redis.call('ZREMRANGEBYSCORE', known, '-inf', now)
if redis.call('EXISTS', KEYS[1]) == 0 then
  local bytes = tonumber(redis.call('GET', total) or '0')
  if redis.call('ZCARD', known) >= tonumber(ARGV[7]) or bytes + #ARGV[5] > tonumber(ARGV[8]) then return 'full' end
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
if ARGV[10] == '1' then redis.call('SET', KEYS[8], ARGV[2], 'NX', 'PX', ARGV[4]) end
redis.call('ZADD', known, now + ARGV[4], ARGV[2])
forget(ARGV[2])
if ARGV[5] == '' then
  redis.call('DEL', KEYS[2])
else
  redis.call('SET', KEYS[2], ARGV[5], 'PX', ARGV[6])
  redis.call('ZADD', answers, now + ARGV[6], ARGV[2])
  redis.call('HSET', sizes, ARGV[2], #ARGV[5])
  redis.call('INCRBY', total, #ARGV[5])
end
return 'kept'`

const DROP = `
${NAMES}
${FORGET}
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 'lost' end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZREM', known, ARGV[2])
forget(ARGV[2])`

/** Keys as PUT but the last. Arguments: owner, identity. */
export const REMOVE = `${DROP}
return 'kept'`

/**
 * Keys as PUT but the last, then refusal and refusals (identities by expiry). Arguments: owner, identity, reason, ms to keep it, max
 * refusals.
 */
export const REFUSE = `${DROP}
${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[9], '-inf', now)
if redis.call('ZCARD', KEYS[9]) >= tonumber(ARGV[5]) then return 'full' end
redis.call('SET', KEYS[8], ARGV[3], 'PX', ARGV[4])
redis.call('ZADD', KEYS[9], now + ARGV[4], ARGV[2])
return 'kept'`
