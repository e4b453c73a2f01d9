// Wraps a log with another implementation of `own`.
import type { Log } from '../ports/log.ts'

/** `own` replaces that of the inner log. */
export const withOwners = (inner: Log, own: Log['own']): Log => ({
  partitions: (topic) => inner.partitions(topic),
  read: (topic, partition, offset, limits) => inner.read(topic, partition, offset, limits),
  start: (topic, partition) => inner.start(topic, partition),
  end: (topic, partition) => inner.end(topic, partition),
  tombstoneFloor: (topic, partition) => inner.tombstoneFloor(topic, partition),
  beginning: async (topic, partition) => inner.beginning?.(topic, partition),
  refresh: () => inner.refresh(),
  own,
  ...(inner.peek && { peek: (id) => (inner.peek as NonNullable<Log['peek']>)(id) }),
  decidedEnd: (topic, partition) => inner.decidedEnd(topic, partition),
  onCommit: (listener) => inner.onCommit(listener),
  trim: (topic, partition, offset) => inner.trim(topic, partition, offset),
  trouble: () => inner.trouble?.() ?? null,
  tries: () => inner.tries?.() ?? 0,
  hurry: () => inner.hurry?.(),
  messages: inner.messages,
  close: () => inner.close(),
})
