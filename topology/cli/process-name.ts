// What a process is called where others, and people, see it.
import { hostname } from 'node:os'

export const processName = (): string => `${hostname()}:${process.pid}`
