// Options of the command line that take a whole number.
import { InvalidArgumentError } from 'commander'

/** Both bounds are allowed. @throws InvalidArgumentError that says them */
export const wholeIn =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`it must be a whole number from ${min} to ${max}`)
    return value
  }
