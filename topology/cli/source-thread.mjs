// Where the thread of a source begins: loads TypeScript as the bin does.
import { register } from 'tsx/esm/api'

register()
await import('./source-thread.ts')
