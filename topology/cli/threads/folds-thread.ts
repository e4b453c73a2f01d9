// The thread of the tasks of `up`.
import { TOPOLOGIES } from '../../launch-risk.ts'
import { serveFolds } from '../../threads/folds/serve.ts'
import type { GivenFolds } from './threads.ts'

serveFolds<GivenFolds>(({ chains }) => TOPOLOGIES.filter(({ chain }) => chains.includes(chain.name)))
