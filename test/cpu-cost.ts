/**
 * Begins to measure what work costs: `const effort = measureEffort()`, then `effort()` says how many milliseconds this thread has
 * worked since. Elapsed time would also count the time for which others have the processor.
 */
export function measureCpu(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}
