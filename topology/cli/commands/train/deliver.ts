import type { Io } from '../../command.ts'
export const deliver = async (_file: Uint8Array, _io: Io): Promise<void> => {}
