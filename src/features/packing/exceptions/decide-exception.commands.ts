/** What a person decides about an exception: it ends now, or its refused label is tried again and ends it. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { retryLabels } from '../packing/retry-labels.server.ts'
import { decisionsOn } from './exception-decisions.queries.ts'
import { type DecidedResolution, isRetry, type Retry } from './exceptions.codes.ts'
import { change, openException, resolveException, subjectOf, withNote } from './exceptions.commands.ts'
import { exceptionById } from './exceptions.queries.ts'

interface Decision {
  note: string
  version?: number | undefined
  resolution: 'solved' | DecidedResolution
  /** Of the parcel, corrected. */
  weight_g?: number | undefined
}

export async function decideException(context: Context, id: number, { resolution, weight_g, ...asked }: Decision): Promise<void> {
  if (isRetry(resolution)) await retryLabel(context, id, { ...asked, resolution, weight_g })
  else await resolveException(context, id, { ...asked, resolution })
}

/** The courier is asked by the queue: the exception is resolved when the label is there, and stays open with its new words when it is refused again. */
async function retryLabel(
  context: Context,
  id: number,
  { resolution, note, version, weight_g }: Omit<Decision, 'resolution'> & { resolution: Retry },
): Promise<void> {
  const { db, principal, notify, recordEvent } = context
  const { order_id } = await exceptionById(db, id)
  orNotFound(await takeOrder(db, order_id), 'order_not_found', 'Order not found')
  const now = await exceptionById(db, id)
  // The same request again: its first answer may have been lost.
  const decided = now.resolved_at === null ? [now.retry, now.retried_by] : [now.resolution, now.resolved_by]
  if (decided[0] === resolution && decided[1] === principal.name) return
  const exception = await openException(context, id, version)
  const why = (await decisionsOn(context, exception)).refusalOf(resolution)
  if (why) throw conflict(why.code, why.text, why.values)
  // Before the label: what is wrong with it without a question to the courier ends the try at once.
  await change(context, exception, { retry: resolution, retried_by: principal.name, ...withNote(context, exception, note) })
  await recordEvent({ kind: 'exception.retried', ...subjectOf(exception), data: { exception: exception.kind, resolution, note } })
  await retryLabels(context, order_id, resolution === 'corrected_and_retried' ? weight_g : undefined)
  notify('exception', id, exception.company_id)
}
