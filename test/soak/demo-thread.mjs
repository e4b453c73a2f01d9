// Where the thread of a soak's source begins.
import { register } from 'tsx/esm/api'

register()
await import('./demo-thread.ts')
