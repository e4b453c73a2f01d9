/** Makes a value at its first use: parsing all schemas takes a fifth of a second, and each thread of a process needs few of them. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
