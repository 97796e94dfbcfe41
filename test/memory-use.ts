/** What work needs of this process's memory: `const memory = watchMemory()`, then `memory.peak()` answers the most that it grew, in bytes. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Growth from here on is measured again without garbage, which only waits for its collection. */
const suspicious = 50_000_000

export function watchMemory(): { peak(): number } {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  collectGarbage()
  const before = used()
  let most = 0
  const measure = () => {
    if (used() - before > suspicious) collectGarbage()
    most = Math.max(most, used() - before)
  }
  const timer = setInterval(measure, 10)
  return {
    peak() {
      clearInterval(timer)
      measure()
      return most
    },
  }
}
