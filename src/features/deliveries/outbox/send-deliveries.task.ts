/** Sends what waits in the outbox. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { type Candidate, chooseFairly } from './deliveries.rules.ts'
import { type ClaimedDelivery, claimDeliveries, type DeliveryOutcome, dueDeliveries, finishAttempt } from './outbox.commands.ts'

/** Sends one delivery to a destination of its kind. What it throws is a failed attempt. */
export type DeliverySender = (delivery: ClaimedDelivery, services: Services, signal: AbortSignal) => Promise<DeliveryOutcome>
/** Senders by kind of destination. */
export type DeliverySenders = Readonly<Record<string, DeliverySender>>

/** Seconds that a sender may take; the lease is longer. */
const patience = 20
/** Milliseconds until what came in meanwhile is looked for, while something is being sent. */
const lookAgain = 250
const why = 'deliveries of every operator are sent'

/** Sends what is due until nothing is; what comes meanwhile is sent too. May run twice: a delivery is claimed by one. */
export async function sendDeliveries(services: Services, senders: DeliverySenders): Promise<void> {
  const running = new Map<Candidate, Promise<void>>()
  while (!services.closing.aborted) {
    const now = services.now()
    // Taken before the read: what is not among them any more has its failure in what is read.
    const sending = [...running.keys()]
    const due = await services.database.systemRead(why, db => dueDeliveries(db, Object.keys(senders), now))
    const chosen = chooseFairly(due, sending)
    const claimed = chosen.length === 0 ? [] : await services.database.systemTransaction(why, db => claimDeliveries(db, chosen, now))
    for (const delivery of claimed) {
      const candidate = { ...delivery, failures: 0 }
      running.set(
        candidate,
        attempt(services, senders, delivery).finally(() => running.delete(candidate)),
      )
    }
    if (running.size === 0) return
    const ending = new AbortController()
    await Promise.race([...running.values(), wait(lookAgain, undefined, { signal: ending.signal }).catch(() => undefined)])
    ending.abort()
  }
  await Promise.all(running.values())
}

async function attempt(services: Services, senders: DeliverySenders, delivery: ClaimedDelivery): Promise<void> {
  const began = performance.now()
  const signal = AbortSignal.any([services.closing, AbortSignal.timeout(patience * 1_000)])
  let outcome: DeliveryOutcome
  try {
    const sender = senders[delivery.destination_kind]
    if (!sender) return
    outcome = await sender(delivery, services, signal)
  } catch (error) {
    // A server that closes leaves the delivery to the end of its lease.
    if (services.closing.aborted) return
    outcome = { outcome: 'failed', status: null, answer: String(error) }
  }
  const end = { now: services.now(), took_ms: Math.round(performance.now() - began), random: Math.random() }
  await services.database
    .systemTransaction(why, db => finishAttempt(db, delivery, outcome, end))
    .then(() => notifyScreens(services, delivery))
    // Not written down, it is sent again under the same id when the lease ends.
    .catch(error => services.log.warn({ delivery: delivery.id, error: String(error) }, 'the end of a delivery was not stored'))
}

/** Screens show what webhooks have delivered; mails have none. */
function notifyScreens({ notifier }: Services, { operator_id, company_id, destination_kind, destination_id }: ClaimedDelivery): void {
  if (destination_kind === 'webhook') notifier.publish([{ topic: 'outgoing_webhook', id: destination_id, operator_id, company_id }])
}

/** One server sends at a time. It holds no worker of the queue: those book labels, and a receiver may take seconds to refuse. */
export const sendDueDeliveries = (senders: DeliverySenders): ScheduledTask => ({
  name: 'send deliveries',
  seconds: 1,
  run: services => sendDeliveries(services, senders),
})
