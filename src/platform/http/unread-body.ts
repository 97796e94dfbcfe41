/** The rest of a body that a refusal leaves unread. */
import type { IncomingMessage } from 'node:http'

/** More is not read: its sender loses the connection, and mostly the answer too. */
const mostDropped = 64_000_000
const patience = 10_000

/**
 * Reads and drops what is left of a body, before its request is answered. A proxy such as nginx reads the answer when it has sent everything; a
 * connection that closes with something unread is reset, and what the client gets is a 502 of the proxy.
 */
export async function dropRest(request: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (request.complete || request.readableEnded || request.destroyed || Number(length ?? 0) > mostDropped) return
  if (encoding === undefined && Number(length ?? 0) === 0) return
  let dropped = 0
  await new Promise<void>(resolve => {
    const count = (piece: Uint8Array) => {
      dropped += piece.length
      if (dropped > mostDropped) stop()
    }
    const timer = setTimeout(stop, patience)
    function stop() {
      clearTimeout(timer)
      request.off('data', count).off('end', stop).off('close', stop).off('error', stop)
      resolve()
    }
    request.on('end', stop).on('close', stop).on('error', stop)
    // A form that is not read any more holds its request back.
    request.unpipe()
    request.on('data', count).resume()
  })
}
