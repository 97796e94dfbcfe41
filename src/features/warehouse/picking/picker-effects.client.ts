/**
 * Runs what the picker's reducer asks for (calls, the queue of events, storage, sounds, timers) and feeds the results back as events.
 * It lives outside React, because scanner, queue and notices reach it at any moment while a screen comes and goes.
 */
import { elementAt } from '#domain/objects.ts'
import { openOfflineQueue } from '#ui/offline/offline-queue.client.ts'
import { createReducerStore } from '#ui/offline/reducer-store.client.ts'
import { retryOf } from '#ui/offline/retry.rules.ts'
import { CallError } from '#ui/query/call-error.ts'
import { eventFormat, expiresAfter, type QueuedEvent } from './event-format.rules.ts'
import { type Effect, initialState, mostEmitted, type PickerEvent, type PickerState, type Situation } from './picker-model.rules.ts'
import type { PickerServices } from './picker-services.client.ts'
import { reduce } from './picker-state.rules.ts'
import { picking } from './picking.contract.ts'
import type { Say } from './picking.rules.ts'
import type { EventAnswer } from './picking.schemas.ts'
import { createPhotos, createPictures } from './product-images.client.ts'

export type Picker = ReturnType<typeof createPicker>

export function createPicker(services: PickerServices) {
  let lookTimer: ReturnType<typeof setTimeout> | undefined
  let lookDue = 0

  const situation = (): Situation => ({
    now: Date.now(),
    user_id: services.user_id(),
    ids: Array.from({ length: mostEmitted }, services.newId),
  })

  const { read, dispatch, subscribe } = createReducerStore<PickerState, PickerEvent, Effect>(
    initialState,
    (state, event) => reduce(state, event, situation()),
    effect => run(effect),
  )

  function run(effect: Effect) {
    switch (effect.type) {
      case 'play':
        return services.play(effect.tone)
      case 'vibrate':
        return services.vibrate(effect.pattern)
      case 'enqueue':
        return queue.add(effect.queued)
      case 'store_wagon':
        return void storeWagon()
      case 'look':
        return void look(effect)
      case 'look_after':
        return lookSoon(effect.ms)
      case 'cancel_look':
        clearTimeout(lookTimer)
        lookTimer = undefined
        return
      case 'preload_pictures':
        return void preload(effect.wagon)
      case 'send_photos':
        return void sendPhotos()
      case 'store_photo': {
        const { type: _, ...photo } = effect
        return void services.store
          .putPhoto(photo)
          .catch(() => undefined)
          .then(sendPhotos)
      }
      case 'await_drained':
        return void queue.drained(eventFormat.key()).then(() => dispatch({ type: 'drained', after: effect.after }))
    }
  }

  const queue = openOfflineQueue<QueuedEvent, EventAnswer>({
    format: eventFormat,
    store: services.store.events,
    expiresAfter,
    user_id: services.user_id,
    async send(batch) {
      const { pick_list_id, wagon_no } = elementAt(batch, 0)
      try {
        const { answers, now } = await services.send(picking.send, {
          pick_list_id,
          wagon_no,
          body: { events: batch.map(one => one.event) },
        })
        dispatch({ type: 'clock', ahead: Date.parse(now) - Date.now() })
        return { kind: 'answered', answers: new Map(answers.map(answer => [answer.id, answer])) }
      } catch (error) {
        const { again, reachable } = retryOf(error)
        return again ? { kind: 'again', reachable } : { kind: 'refused', error }
      }
    },
    onAnswer: (queued, answer) => dispatch({ type: 'answered', queued, answer }),
    onRefused: (_events, error) => dispatch({ type: 'refused', reason: reasonOf(error) }),
    onChange: () => dispatch({ type: 'queue_changed', waiting: queue.waiting(), offline: queue.isOffline() }),
  })
  const { preload, pictureOf } = createPictures(services)
  const { sendPhotos } = createPhotos(services, () => new Set(queue.waiting().map(one => one.event.id)))

  function storeWagon(): Promise<void> {
    const user_id = services.user_id()
    const { base, hand, begun, done, journal } = read()
    const stored = base && user_id !== undefined ? { user_id, wagon: base, hand, begun, done, journal } : undefined
    return services.store.keepWagon(stored).catch(() => undefined)
  }

  async function look({ pick_list_id, wagon_no, began }: Extract<Effect, { type: 'look' }>): Promise<void> {
    const name = { pick_list_id, wagon_no }
    try {
      const wagon = await services.send(picking.wagon, name)
      dispatch({ type: 'looked', ...name, began, wagon, sending: queue.isSending() })
    } catch (error) {
      if (error instanceof CallError) dispatch({ type: 'look_failed', ...name, status: error.status })
    }
  }

  function lookSoon(ms: number): void {
    const due = Date.now() + ms
    if (lookTimer !== undefined && lookDue <= due) return
    clearTimeout(lookTimer)
    lookDue = due
    lookTimer = setTimeout(() => dispatch({ type: 'look_due' }), ms)
  }

  /** The network is back, or the page is shown again. */
  function retryNow(): void {
    queue.retryNow()
    dispatch({ type: 'reconnected' })
  }

  return {
    read,
    subscribe,
    dispatch,
    pictureOf,
    retryNow,
    /** Takes a wagon; throws if the server refuses, so that the picker can be asked. */
    async claim(pick_list_id: number, wagon_no: number, how: { take_over?: boolean; join?: boolean } = {}): Promise<void> {
      dispatch({ type: 'claiming' })
      try {
        dispatch({ type: 'claimed', wagon: await services.send(picking.claim, { pick_list_id, wagon_no, body: how }) })
      } finally {
        dispatch({ type: 'claim_ended' })
      }
    },
    /** Takes up the wagon and the events that an earlier page left behind. */
    async restore(): Promise<void> {
      if (!read().ready) {
        dispatch({ type: 'restored', stored: await services.store.wagon().catch(() => undefined) })
        await queue.restore()
        dispatch({ type: 'ready' })
      }
      retryNow()
    },
  }
}

function reasonOf(error: unknown): Say {
  if (!(error instanceof CallError)) return { text: 'Something in the program failed' }
  return { text: error.key, values: Object.fromEntries(Object.entries(error.values).map(([name, value]) => [name, value ?? null])) }
}
