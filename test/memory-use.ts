/** What work needs of this process's memory: `const memory = watchMemory()`, then `memory.peak()` answers the most that it grew, in bytes. */
export function watchMemory(): { peak(): number } {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, used())
  }, 10)
  return {
    peak() {
      clearInterval(timer)
      return Math.max(most, used()) - before
    },
  }
}
