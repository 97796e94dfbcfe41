/** Who is asked about a scan, and in which order: what is open before the whole program, and the first that answers has it. */
import type { Code } from '#domain/codes.ts'
import type { Scan } from './keyboard-wedge.ts'

/** In the order in which they are asked: an open dialog, the open order or list, then what works everywhere. */
const layers = ['dialog', 'screen', 'global'] as const
export type Layer = (typeof layers)[number]

export interface ScanHandler<Match> {
  /** What this code means here; undefined, null or false when it means nothing, and the next is asked. */
  match: (code: Code, scan: Scan) => Match | undefined | null | false
  handle: (match: Match, code: Code, scan: Scan) => void | Promise<void>
}

export interface Registry {
  /** Adds a handler; within a layer the one added last is asked first. The answer removes it. */
  add<Match>(layer: Layer, handler: ScanHandler<Match>): () => void
  /** Gives a scan to the first handler that matches; false when there is none. */
  offer(code: Code, scan: Scan): boolean
}

/** `onFailed` hears what a handler threw or rejected with: one broken handler must not stop the next scan. */
export function createRegistry(onFailed: (error: unknown) => void): Registry {
  const handlers: { layer: Layer; take: (code: Code, scan: Scan) => boolean }[] = []
  return {
    add(layer, { match, handle }) {
      const entry = {
        layer,
        take(code: Code, scan: Scan) {
          const found = match(code, scan)
          if (found === undefined || found === null || found === false) return false
          Promise.resolve(handle(found, code, scan)).catch(onFailed)
          return true
        },
      }
      handlers.unshift(entry)
      return () => {
        const at = handlers.indexOf(entry)
        if (at >= 0) handlers.splice(at, 1)
      }
    },
    offer(code, scan) {
      const inOrder = layers.flatMap(layer => handlers.filter(handler => handler.layer === layer))
      for (const handler of inOrder) {
        try {
          if (handler.take(code, scan)) return true
        } catch (error) {
          // What it did before it failed is unknown: asking the next could count the scan twice.
          onFailed(error)
          return true
        }
      }
      return false
    },
  }
}
