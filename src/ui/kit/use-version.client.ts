/** The version that a form saves: the one that it read, then that of each answer. Two tabs do not overwrite each other silently. */
import { useRef } from 'react'

interface Versioned {
  version: number
}

export function useVersion<Body extends object, Answer extends Versioned>(
  { version }: Versioned,
  save: (body: Body & Versioned) => Promise<Answer>,
): { save: (body: Body) => Promise<Answer>; take: <F extends Versioned>(fresh: F) => F } {
  const read = useRef(version)
  return {
    async save(body) {
      const answer = await save({ ...body, version: read.current })
      read.current = answer.version
      return answer
    },
    /** Goes on from what another person saved. */
    take(fresh) {
      read.current = fresh.version
      return fresh
    },
  }
}
