/** Answers that their clients do not read. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds in which a client has to take something of what waits for it: a slow line takes a piece in less. */
export const unreadPatience = 120_000

interface Progress {
  /** Bytes that have left the program. */
  sent: number
  since: number
}

/**
 * Follows the connections of a server. `closeUnread` closes those whose client has taken nothing of an answer for two minutes: what it does not read
 * would lie in memory for as long as it likes. A connection on which nothing waits is left alone, however long its answer takes.
 */
export function followAnswers(server: Server): { closeUnread(now: number): void } {
  const connections = new Map<Socket, Progress>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { sent: 0, since: Number.POSITIVE_INFINITY })
    socket.once('close', () => connections.delete(socket))
  })
  return {
    closeUnread(now) {
      for (const [socket, progress] of connections) {
        const sent = socket.bytesWritten - socket.writableLength
        if (socket.writableLength === 0) progress.since = Number.POSITIVE_INFINITY
        else if (sent !== progress.sent || progress.since === Number.POSITIVE_INFINITY) progress.since = now
        else if (now - progress.since >= unreadPatience) socket.destroy()
        progress.sent = sent
      }
    },
  }
}
