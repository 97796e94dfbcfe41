/** Prints on label printers of the network: ZPL over a TCP connection to port 9100, without a driver. */
import { createHash } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#contract/limits.ts'
import { PrinterRefused, PrinterUnavailable, type Printing, PrintOutcomeUnknown, refuseUnprintable } from './printer.ts'

export interface RawPrinter {
  /** `host:port`; an IPv6 address stands in square brackets. */
  remote_id: string
  name: string
}

export interface RawPrintersConfig {
  printers: readonly RawPrinter[]
  /** The address to which a connection may be opened. Throws `PrinterRefused` where it may not, and any other error where the name is not found. */
  resolve(host: string): Promise<string>
  /** Milliseconds. */
  connectLimit?: number
  writeLimit?: number
}

export const rawAddress = (host: string, port: number): string => `${isIP(host) === 6 ? `[${host}]` : host.toLowerCase()}:${port}`

/** Printers take one connection at a time; jobs of this process wait for each other. */
const busy = new Map<string, Promise<unknown>>()

/**
 * Such a printer answers nothing: it has the label when it has read everything and ends the connection after us. Whatever
 * breaks after the connection was made leaves open what came out.
 */
export function rawPrinters({ printers, resolve, connectLimit = 4_000, writeLimit = 12_000 }: RawPrintersConfig): Printing {
  async function open(remote_id: string, signal: AbortSignal): Promise<Socket> {
    const { host, port } = partsOf(remote_id)
    let address: string
    try {
      address = await resolve(host)
    } catch (error) {
      if (error instanceof PrinterRefused) throw error
      throw new PrinterUnavailable('The address of the printer is not found')
    }
    if (signal.aborted) throw new PrinterUnavailable('The printer was not asked: the time had run out')
    const socket = connect({ host: address, port })
    return new Promise((done, refuse) => {
      const fail = (sentence: string) => {
        socket.destroy()
        refuse(new PrinterUnavailable(sentence))
      }
      const timer = setTimeout(() => fail('The printer does not answer'), connectLimit)
      socket.once('error', () => {
        clearTimeout(timer)
        fail('The printer does not take a connection')
      })
      socket.once('connect', () => {
        clearTimeout(timer)
        socket.removeAllListeners('error')
        done(socket)
      })
    })
  }

  /** One after the other for each address. */
  async function inTurn<T>(remote_id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let before = busy.get(remote_id); before; before = busy.get(remote_id)) {
      await Promise.race([before, sleep(60_000, undefined, { signal })]).catch(() => undefined)
      if (signal.aborted) throw new PrinterUnavailable('The printer is busy with other labels')
    }
    const own = work()
    const over = own.catch(() => undefined).finally(() => busy.delete(remote_id))
    busy.set(remote_id, over)
    return own
  }

  return {
    kind: 'raw9100',

    async printers(signal) {
      return Promise.all(
        printers.map(async ({ remote_id, name }) => {
          // A printer that prints for us takes no second connection.
          const online = busy.has(remote_id) || (await reaches(() => open(remote_id, signal)))
          return {
            remote_id,
            name,
            description: 'ZPL',
            computer: remote_id,
            state: online ? 'online' : 'offline',
            papers: {},
            raw: true,
          } as const
        }),
      )
    },

    async print(request, signal) {
      if (request.format !== 'zpl') throw new PrinterRefused('This printer takes ZPL only. Print PDF documents on another printer.')
      refuseUnprintable(request)
      const { remote_id, content, copies, idempotency_key } = request
      await inTurn(remote_id, signal, async () => {
        const socket = await open(remote_id, signal)
        await write(
          socket,
          Buffer.concat(Array.from({ length: copies }, () => content)),
          AbortSignal.any([signal, AbortSignal.timeout(writeLimit)]),
        )
      })
      return { remote_job_id: createHash('sha256').update(idempotency_key).digest('hex').slice(0, 32) }
    },

    /** Jobs end with their connection. */
    async state() {
      return { state: 'done', message: null }
    },

    async cancel() {
      return false
    },
  }
}

function partsOf(remote_id: string): { host: string; port: number } {
  const [, six, four, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(remote_id) ?? []
  const host = six ?? four
  if (!host || !limits.printerPorts.includes(Number(port))) throw new PrinterRefused('This is no address of a label printer')
  return { host, port: Number(port) }
}

async function reaches(open: () => Promise<Socket>): Promise<boolean> {
  try {
    const socket = await open()
    socket.on('error', () => undefined)
    socket.end()
    setTimeout(() => socket.destroy(), 1_000).unref()
    return true
  } catch {
    return false
  }
}

/** Sends everything, ends the connection and waits until the printer has ended it too. */
function write(socket: Socket, content: Uint8Array, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = () => {
    socket.destroy()
    reject(new PrintOutcomeUnknown('The printer broke off while it took the label; a part may have come out'))
  }
  const stop = () => {
    socket.destroy()
    reject(new PrintOutcomeUnknown('The printer took too long over the label; it may have come out'))
  }
  let finished = false
  signal.addEventListener('abort', stop, { once: true })
  socket.on('error', fail)
  socket.on('finish', () => {
    finished = true
  })
  // What a printer says, such as its status, is read so that its end is seen, and dropped.
  socket.resume()
  socket.on('close', () => {
    signal.removeEventListener('abort', stop)
    if (finished && socket.bytesWritten >= content.byteLength) resolve()
    else fail()
  })
  if (signal.aborted) stop()
  else socket.end(content)
  return promise
}
