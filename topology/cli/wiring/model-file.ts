// Reads a model file for commands.
import { readFile } from 'node:fs/promises'
import { type Model, readModel } from '../../../processors/odds/model.ts'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import { unreadable } from '../../sources/recording/unreadable.ts'

/** @throws EngineError `file_unreadable`, and `model_unfit`, both with the path */
export const readModelFile = async (path: string): Promise<{ readonly file: Uint8Array; readonly model: Model }> => {
  const file = await readFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  try {
    return { file, model: readModel(file) }
  } catch (failure) {
    if (!hasCode(failure, 'model_unfit')) throw failure
    throw new EngineError('model_unfit', `${path}: ${failure.message}`, { facts: { path }, cause: failure })
  }
}
