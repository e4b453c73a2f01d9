// What a demo says about its clock.
import { paceWords, type Speed } from '../sources/recording/recording.ts'

/** `clockFacts` goes into `meta.source`; the pace states a clock that runs away from the wall clock. */
export const demoWords = (startMs: number, speed: Speed, isOnWall: boolean) => {
  const since = `${new Date(startMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const followsWall = isOnWall && speed === 1
  const clock = followsWall ? 'on the wall clock' : 'with its own clock'
  const away = isOnWall && !followsWall ? ', away from the wall clock' : ''
  return { since, clockFacts: `${clock} (since ${since})`, pace: `${paceWords(speed)}${away}` }
}
