// The name of this process in the topic `rebuilds`, where it tells people which process runs a rebuild.
import { hostname } from 'node:os'

export const processName = (): string => `${hostname()}:${process.pid}`
