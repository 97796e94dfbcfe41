/** Calls that what is in hand cannot go on without: asked again until the server answers. */
import { CallError } from '#ui/query/call-error.ts'
import { worthAnotherTry } from './scan-queue.rules.ts'
import type { BenchCore } from './station-core.client.ts'

const longestPause = 5_000

export type Reaching = ReturnType<typeof createReaching>

export function createReaching(core: BenchCore) {
  let wake = () => {}

  /** `busyToo` also asks a server again that is there and fails. A refusal, or an order that was left meanwhile, throws. */
  async function reach<T>(ask: () => Promise<T>, { busyToo = false } = {}): Promise<T> {
    const still = core.thisTurn()
    for (let tries = 0; ; tries++) {
      try {
        const answer = await ask()
        if (still()) core.set({ unreached: false })
        return answer
      } catch (error) {
        const { status, code } = error instanceof CallError ? error : { status: 444, code: null }
        const { again, reachable } = worthAnotherTry(status, code)
        if (!still() || !again || (reachable && !busyToo)) throw error
        if (!reachable && !core.state.unreached) core.play('attention')
        core.set({ unreached: !reachable })
        await new Promise<void>(resolve => {
          wake = resolve
          setTimeout(resolve, Math.min(longestPause, 400 * 2 ** tries))
        })
        if (!still()) throw error
      }
    }
  }

  return {
    reach,
    /** The network is back: nobody waits for the end of a pause. */
    hurry: () => wake(),
  }
}
