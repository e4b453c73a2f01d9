// The thread of the tasks of `up`.
import { TOPOLOGIES } from '../../launch-risk.ts'
import { useLaunchpad } from '../../launchpad-in-use.ts'
import { serveFolds } from '../../threads/folds/serve.ts'
import type { GivenFolds } from './threads.ts'

serveFolds<GivenFolds>(({ chains, addresses }) => {
  useLaunchpad(addresses)
  return TOPOLOGIES.filter(({ chain }) => chains.includes(chain.name))
})
