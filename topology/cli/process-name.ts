// The name of a process in notices and in other processes.
import { hostname } from 'node:os'

export const processName = (): string => `${hostname()}:${process.pid}`
