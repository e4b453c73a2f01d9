// Parser of whole-number options.
import { InvalidArgumentError } from 'commander'

/** Both bounds are inclusive. @throws InvalidArgumentError that names them */
export const wholeIn =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`it must be a whole number from ${min} to ${max}`)
    return value
  }
