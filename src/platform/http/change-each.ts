/** One change to several objects, each in a transaction of its own: what one refuses leaves the others done. */
import type { AppError } from '#contract/errors.ts'
import { errorOf } from '#domain/thrown.ts'
import type { Context, ExternalContext } from './feature-module.ts'
import { toAppError } from './http-errors.ts'

export interface ChangeResult {
  id: number
  done: boolean
  /** Why not, as a sentence and as its key with values. */
  message: string | null
  key: string | null
  values: Record<string, string | number | null>
}

/** Answers a result for each id, in their order; an id that stands twice is changed once. `noun` names the objects in the log. */
export async function changeEach(
  outside: ExternalContext,
  noun: string,
  ids: readonly number[],
  step: (context: Context, id: number) => Promise<void>,
): Promise<{ results: ChangeResult[] }> {
  const results: ChangeResult[] = []
  for (const id of new Set(ids))
    results.push(
      await outside
        .transaction(context => step(context, id))
        .then(
          () => ({ id, done: true, message: null, key: null, values: {} }),
          (error: unknown) => {
            const { refusal, unexpected } = toAppError(error, `${noun} ${id}`)
            if (unexpected) outside.services.log.error({ noun, id, error: String(errorOf(error).stack ?? error) }, 'one of many failed')
            return { id, done: false, ...sentenceOf(refusal) }
          },
        ),
    )
  return { results }
}

const sentenceOf = (refusal: AppError) => ({
  message: refusal.message,
  key: refusal.key,
  values: Object.fromEntries(Object.entries(refusal.values).map(([name, value]) => [name, value ?? null])),
})
