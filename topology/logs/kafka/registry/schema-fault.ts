// Checks whether values of one Avro schema can be read with another, and if not, names the field that prevents it.

type Json = string | readonly Json[] | Definition
interface Definition {
  readonly type: Json
  readonly name?: string
  readonly items?: Json
  readonly values?: Json
  readonly size?: number
  readonly symbols?: readonly string[]
  readonly fields?: readonly Field[]
}
interface Field {
  readonly name: string
  readonly type: Json
  readonly default?: unknown
}
interface Side {
  readonly named: Map<string, Definition>
}

/** Types that a reader accepts in addition to its own. */
const WIDENED: Readonly<Record<string, readonly string[]>> = {
  long: ['int'],
  float: ['int', 'long'],
  double: ['int', 'long', 'float'],
  bytes: ['string'],
  string: ['bytes'],
}
const NAMED = new Set(['record', 'enum', 'fixed'])

/** Why `reader` cannot read values of `writer`, with the path of the field; undefined if it can. Both are parsed JSON. */
export const readingFault = (reader: unknown, writer: unknown): string | undefined => {
  const sides: readonly [Side, Side] = [{ named: new Map() }, { named: new Map() }]
  collect(reader as Json, sides[0])
  collect(writer as Json, sides[1])
  const seen = new Set<string>()

  const fault = (readerType: Json, writerType: Json, path: string): string | undefined => {
    const [into, from] = [resolve(readerType, sides[0]), resolve(writerType, sides[1])]
    if (isUnion(from)) return first(from, (branch) => fault(into, branch, path))
    if (isUnion(into)) return unionFault(into, from, path)
    const [wanted, given] = [kindOf(into), kindOf(from)]
    if (wanted !== given)
      return WIDENED[wanted]?.includes(given)
        ? undefined
        : `${path} is ${textOf(readerType)} here and ${textOf(writerType)} in the registry`
    if (wanted === 'record') return recordFault(into as Definition, from as Definition)
    if (wanted === 'enum') return enumFault(into as Definition, from as Definition, path)
    if (wanted === 'array') return fault((into as Definition).items ?? 'null', (from as Definition).items ?? 'null', `${path}[]`)
    if (wanted === 'map') return fault((into as Definition).values ?? 'null', (from as Definition).values ?? 'null', `${path}{}`)
    const sizes = [into, from].map((type) => (type as Definition).size)
    return wanted === 'fixed' && sizes[0] !== sizes[1] ? `${path} has ${sizes[0]} bytes here and ${sizes[1]} in the registry` : undefined
  }
  const unionFault = (into: readonly Json[], from: Json, path: string): string | undefined => {
    const sameName = into.find((branch) => nameOf(resolve(branch, sides[0])) === nameOf(from))
    if (sameName !== undefined) return fault(sameName, from, path)
    if (into.some((branch) => fault(branch, from, path) === undefined)) return undefined
    return `${path} may be ${textOf(from)} in the registry, and not here`
  }
  const recordFault = (into: Definition, from: Definition): string | undefined => {
    const pair = `${into.name}<${from.name}`
    if (seen.has(pair)) return undefined
    seen.add(pair)
    const given = new Map((from.fields ?? []).map((field) => [field.name, field]))
    return first(into.fields ?? [], (field) => {
      const written = given.get(field.name)
      const at = `${into.name}.${field.name}`
      if (written !== undefined) return fault(field.type, written.type, at)
      return field.default === undefined ? `${at} is new and has no default` : undefined
    })
  }
  return fault(reader as Json, writer as Json, String((reader as Definition).name ?? 'value'))
}

const enumFault = (into: Definition, from: Definition, path: string): string | undefined => {
  const gone = (from.symbols ?? []).filter((symbol) => !into.symbols?.includes(symbol))
  return gone.length === 0 ? undefined : `${path} may be ${gone.join(', ')} in the registry, and not here`
}

const first = <Item>(items: readonly Item[], faultOf: (item: Item) => string | undefined): string | undefined => {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

const isUnion = (type: Json): type is readonly Json[] => Array.isArray(type)
const simple = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
const resolve = (type: Json, side: Side): Json => {
  if (typeof type === 'string') return side.named.get(simple(type)) ?? type
  return !isUnion(type) && typeof type.type !== 'string' ? resolve(type.type, side) : type
}
const kindOf = (type: Json): string => (typeof type === 'string' ? type : String((type as Definition).type))
const nameOf = (type: Json): string => (typeof type === 'string' ? type : simple((type as Definition).name ?? kindOf(type)))
const textOf = (type: Json): string => (isUnion(type) ? type.map(nameOf).join(' or ') : nameOf(type))

const collect = (type: Json, side: Side): void => {
  if (typeof type === 'string') return
  if (isUnion(type)) {
    for (const branch of type) collect(branch, side)
    return
  }
  if (NAMED.has(kindOf(type)) && type.name !== undefined) side.named.set(simple(type.name), type)
  for (const inner of [type.items, type.values, typeof type.type === 'string' ? undefined : type.type])
    if (inner !== undefined) collect(inner, side)
  for (const field of type.fields ?? []) collect(field.type, side)
}
