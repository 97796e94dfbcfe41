/** Recordings reach the server whole, however often the network fails, an answer is lost or the page is loaded anew. */
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Call } from '#contract/endpoint.ts'
import { CallError, noAnswer } from '#ui/query/call-error.ts'
import type { send as sendCall } from '#ui/query/calls.ts'
import { createVideoUploader, type Piece, type Recording, type VideoStore } from './video-uploader.client.ts'

// Hashes and blobs are made outside of JavaScript, which takes real time.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => vi.useRealTimers())

function memoryStore(): VideoStore & { pieces: Map<string, Piece>; rows: Map<string, Recording> } {
  const pieces = new Map<string, Piece>()
  const rows = new Map<string, Recording>()
  return {
    pieces,
    rows,
    recordings: async () => [...rows.values()].map(row => ({ ...row })),
    pieceKeys: async () => [...pieces.keys()],
    piece: async key => pieces.get(key),
    saveRecording: async row => void rows.set(row.id, { ...row }),
    savePiece: async piece => void pieces.set(piece.key, piece),
    async removePieces(keys) {
      for (const key of keys) pieces.delete(key)
    },
    removeRecording: async id => void rows.delete(id),
  }
}

type Fault = 'none' | 'lost request' | 'lost answer' | 'busy'

/** What the server's protocol says, with faults on the way. */
function serverWith(faults: readonly Fault[]) {
  let stored = Buffer.alloc(0)
  let finished = 0
  let nth = 0
  const made = new Set<string>()
  const handle = async ({ line }: Call, input: Record<string, unknown>): Promise<unknown> => {
    const body = (input.body ?? {}) as { client_id: string; bytes: number }
    if (line.startsWith('POST dvr/api/create')) {
      made.add(body.client_id)
      return { video_id: 1, state: 'recording', upload: finished ? null : { upload_id: 5, offset: stored.length, chunk_bytes: 1_048_576 } }
    }
    if (line.endsWith('/finish')) {
      if (body.bytes !== stored.length) throw new CallError(409, 'short', { code: 'upload_short', current: { offset: stored.length } })
      finished += 1
      return { video_id: 1, state: 'processing' }
    }
    const bytes = Buffer.from(await (input.upload as Blob).arrayBuffer())
    const offset = Number(input.offset)
    if (offset + bytes.length <= stored.length) return undefined
    if (offset !== stored.length) throw new CallError(409, 'offset', { code: 'upload_offset', current: { offset: stored.length } })
    stored = Buffer.concat([stored, bytes])
    return undefined
  }
  const send = async (call: Call, input: Record<string, unknown>): Promise<unknown> => {
    const fault = faults[nth++] ?? 'none'
    if (fault === 'lost request') throw noAnswer()
    if (fault === 'busy') throw new CallError(503)
    const answer = await handle(call, input)
    if (fault === 'lost answer') throw noAnswer()
    return answer
  }
  return { send: send as unknown as typeof sendCall, made, read: () => ({ stored, finished }) }
}

const recordingOf = (): Recording => ({
  id: 'a',
  session_id: 7,
  media_type: 'video/webm',
  began_at: Date.now(),
  bytes: 0,
  ended: false,
  upload_id: null,
  sent: 0,
})
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** Lets time pass until nothing is left. Hashes take real time, which is long on a busy machine. */
async function settle(store: { rows: Map<string, Recording> }): Promise<void> {
  for (const end = performance.now() + 60_000; store.rows.size > 0 && performance.now() < end; ) {
    await vi.advanceTimersByTimeAsync(5_000)
    await new Promise(resolve => setImmediate(resolve))
  }
}

describe('a recording', () => {
  const faults = fc.array(fc.constantFrom<Fault[]>('none', 'none', 'lost request', 'lost answer', 'busy'), { maxLength: 14 })
  const sizes = fc.array(fc.integer({ min: 1, max: 900_000 }), { minLength: 1, maxLength: 6 })

  it('arrives as it was filmed through any faults and reloads, and leaves nothing on the device', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, faults, fc.nat(6), async (lengths, bad, reloadAt) => {
        const store = memoryStore()
        const server = serverWith(bad)
        const source = Buffer.concat(lengths.map((length, i) => Buffer.alloc(length, i + 1)))
        let isGone = false
        const services = {
          store,
          changed: () => undefined,
          full: () => undefined,
          send: (async (...args: Parameters<typeof sendCall>) => {
            if (isGone) return new Promise(() => undefined)
            return server.send(...args)
          }) as unknown as typeof sendCall,
        }
        const uploader = createVideoUploader(services)
        const recording = recordingOf()
        let offset = 0
        for (const [i, length] of lengths.entries()) {
          await uploader.add(recording, offset, new Blob([source.subarray(offset, offset + length)]))
          offset += length
          if (i === reloadAt) break
        }
        if (offset < source.length) {
          // The page is loaded anew before the recorder ended: what was kept is what there is.
          isGone = true
          await vi.advanceTimersByTimeAsync(10)
          await createVideoUploader({ ...services, send: server.send }).restore()
        } else await uploader.end(recording)
        await settle(store)
        expect(sha(server.read().stored)).toBe(sha(source.subarray(0, offset)))
        expect(server.read().finished).toBeGreaterThanOrEqual(1)
        expect(server.made.size).toBe(1)
        expect([store.pieces.size, store.rows.size]).toEqual([0, 0])
      }),
      { numRuns: 60 },
    )
  })

  it('waits while the server has no space, and says so', async () => {
    const store = memoryStore()
    const full = vi.fn()
    let open = false
    const server = serverWith([])
    const send = (async (...args: Parameters<typeof sendCall>) => {
      if (!open) throw new CallError(507, 'full', { code: 'video_storage' })
      return server.send(...args)
    }) as unknown as typeof sendCall
    const uploader = createVideoUploader({ send, store, changed: () => undefined, full })
    const recording = recordingOf()
    await uploader.add(recording, 0, new Blob(['film']))
    await uploader.end(recording)
    await vi.waitFor(() => expect(full).toHaveBeenCalled())
    expect(full).toHaveBeenCalledOnce()
    expect(uploader.unsent()).toBe(4)
    open = true
    await settle(store)
    expect(server.read().stored.toString()).toBe('film')
  })

  it('that the server will never take is dropped', async () => {
    const store = memoryStore()
    const send = (async () => {
      throw new CallError(409, 'off', { code: 'video_off' })
    }) as unknown as typeof sendCall
    const uploader = createVideoUploader({ send, store, changed: () => undefined, full: () => undefined })
    const recording = recordingOf()
    await uploader.add(recording, 0, new Blob(['film']))
    await uploader.end(recording)
    await settle(store)
    expect([store.pieces.size, store.rows.size, uploader.unsent()]).toEqual([0, 0, 0])
  })
})
