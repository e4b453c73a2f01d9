// The record of deployers across their launches: the creator fold, fed by messages from curves.
import type { AltTapeEvent } from '../../schemas/types.ts'
import { createCreatorProcessor } from '../creator/creator.ts'
import { CURVE, DEPLOYER } from './rows.ts'

/** Key = deployer. */
export const deployerProcessor = createCreatorProcessor<AltTapeEvent>(DEPLOYER, CURVE)
