// The name of this process in the topic `rebuilds`, where it tells people and waiting processes which process runs a rebuild.
import { hostname } from 'node:os'

export const processName = (): string => `${hostname()}:${process.pid}`
