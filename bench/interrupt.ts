/** What a benchmark leaves nothing behind with when it is interrupted. */

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const
/** Milliseconds after which the process ends, whatever still runs. */
const patience = 30_000

/** Does `clean` and ends the process at Ctrl-C or when it is asked to end. Answers how to take that back. */
export function onInterrupt(clean: () => Promise<void>): () => void {
  let ending = false
  const ends = (['SIGINT', 'SIGTERM'] as const).map(signal => {
    const end = () => {
      // A terminal sends its signal to a whole group, and people press twice.
      if (ending) return
      ending = true
      // What still runs loses its database.
      process.on('uncaughtException', () => undefined)
      setTimeout(() => process.exit(exitCodes[signal]), patience).unref()
      clean()
        .catch(error => console.error(error))
        .finally(() => process.exit(exitCodes[signal]))
    }
    process.on(signal, end)
    return { signal, end }
  })
  return () => {
    for (const { signal, end } of ends) process.off(signal, end)
  }
}
