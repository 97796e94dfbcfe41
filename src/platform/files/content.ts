/** Content as a stream of pieces: its first bytes checked before the rest, and all of it in memory where it is small. */

/**
 * Passes content on once `check` has seen its first `length` bytes (fewer where it is shorter). What `check` throws refuses the content
 * before anything of it is passed on.
 */
export async function* checkStart(
  content: AsyncIterable<Uint8Array>,
  length: number,
  check: (start: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array()
  for await (const piece of content) {
    if (!start) yield piece
    else {
      start = start.length === 0 ? piece : Buffer.concat([start, piece])
      if (start.length < length) continue
      check(start.subarray(0, length))
      yield start
      start = undefined
    }
  }
  if (!start) return
  check(start)
  if (start.length > 0) yield start
}

/** All of the content in memory: only where its size has a limit that memory allows for. */
export async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The first bytes of content (fewer where it is shorter), and all of it from its beginning. */
export async function peekStart(
  content: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ start: Uint8Array; content: AsyncIterable<Uint8Array> }> {
  const pieces = content[Symbol.asyncIterator]()
  let start: Uint8Array = new Uint8Array()
  let next = await pieces.next()
  while (!next.done) {
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value])
    if (start.length >= length) break
    next = await pieces.next()
  }
  async function* whole() {
    try {
      if (start.length > 0) yield start
      for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) yield piece.value
    } finally {
      await pieces.return?.()
    }
  }
  return { start: start.subarray(0, length), content: whole() }
}

/** All of the content in memory, or null where it is longer than `most`. */
export async function collectUpTo(content: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > most) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
