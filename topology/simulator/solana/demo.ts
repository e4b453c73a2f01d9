// What the wiring takes of the simulator once a demo is played.
export { Market } from './market.ts'
export { DemoSource } from './source.ts'
export { openTruthFile } from './truth-file.ts'
