/** The next item of a generator; undefined at its end. */
export const nextOf = async <Item>(items: AsyncGenerator<Item>): Promise<Item | undefined> => {
  const { value, done } = await items.next()
  return done === true ? undefined : value
}
