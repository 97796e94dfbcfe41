/** The packing station: a photo of the open box, when the packer asks for it or before the parcel is closed. */
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import type { MissingPhotoReason } from '#features/packing/packing-photos/packing-photos.codes.ts'
import type { CloseHow, PackingState, StationChoice, StationEvent, Waits } from './packing-model.rules.ts'
import { approvalOf, lacksReason, sendAnswer } from './packing-rule-approval.rules.ts'
import { emit, play, type Step, say, set } from './packing-step.rules.ts'

/** Whether the open parcel has to be photographed before it gets its label. A photo that waits for the connection counts. */
const needsPhoto = ({ photo, order_id }: PackingOrder, { waiting }: PackingState): boolean =>
  photo.mode === 'required' &&
  photo.pieces > 0 &&
  photo.taken === 0 &&
  !waiting.some(scan => scan.kind === 'photo' && !scan.approves && scan.order_id === order_id)

function begin(step: Step, waits: Waits): boolean {
  set(step, {
    photographing: { waits, taking: false, problem: null },
    ...{ dialog: null, partial: null, wrong: null, choosing: null, approving: null, adding: null, weighing: null },
  })
  play(step, 'attention')
  return true
}

/** Before the parcel is closed: whether its photo is missing. */
export const asksForPhoto = (step: Step, order: PackingOrder, how: CloseHow): boolean =>
  how.without_photo === undefined && needsPhoto(order, step.state) && begin(step, { kind: 'close', how })

/** The same before the next parcel begins. */
export const asksForPhotoOfFull = (step: Step, order: PackingOrder, without_photo: MissingPhotoReason | undefined): boolean =>
  without_photo === undefined && needsPhoto(order, step.state) && begin(step, { kind: 'next' })

/** `CMD:PHOTO`, its key, and Enter where the photo is asked for. */
export function takePhoto(step: Step, order: PackingOrder): Step {
  const { order_id, photo } = order
  const { photographing, approving } = step.state
  if (photographing?.taking) return step
  if (photographing?.approves) {
    set(step, { photographing: { ...photographing, taking: true, problem: null } })
    return emit(step, { type: 'take_photo', order_id })
  }
  // What the rule asks about is held before the camera first.
  if (approving?.asked && !approving.sending && approvalOf(order, approving.asked)?.methods.includes('photo')) {
    if (lacksReason(step.state)) return play(step, 'attention')
    return set(step, { photographing: { waits: null, approves: true, taking: false, problem: null } })
  }
  if (photo.mode === 'off') return say(step, 'No photos are taken here', 'ignored')
  if (photo.pieces === 0) return say(step, 'This parcel is empty', 'attention')
  set(step, {
    photographing: { waits: photographing?.waits ?? null, taking: true, problem: null },
    ...{ dialog: null, partial: null, wrong: null, choosing: null },
  })
  return emit(step, { type: 'take_photo', order_id })
}

/** It goes the way of the scans, in their order. Answers what goes on now, null where nothing does. */
export function photoMade(step: Step, order_id: number, picture: Blob): Waits | null {
  const { order, photographing, approving } = step.state
  if (photographing?.approves) {
    if (order?.order_id !== order_id) return null
    emit(step, { type: 'enqueue', order_id, action: { kind: 'photo', picture, approves: true } })
    // Its answer names the photo.
    set(step, { photographing: null, approving: approving && { ...approving, sending: true, failure: null } })
    return null
  }
  emit(step, { type: 'enqueue', order_id, action: { kind: 'photo', picture } })
  if (order?.order_id !== order_id) return null
  set(step, { order: { ...order, photo: { ...order.photo, taken: order.photo.taken + 1 } }, photographing: null })
  say(step, 'Photo of parcel {{parcel}} taken', 'line', { parcel: order.session?.parcel_no ?? 1 })
  return photographing?.waits ?? null
}

export function photoFailed(step: Step, order_id: number, problem: MissingPhotoReason): Step {
  const { order, photographing } = step.state
  if (order?.order_id !== order_id || !photographing) return step
  set(step, { photographing: { ...photographing, taking: false, problem } })
  return play(step, 'attention')
}

export function photoStored(
  step: Step,
  { order_id, parcel_no, taken, photo_id, kind }: Extract<StationEvent, { type: 'photo_stored' }>,
): Step {
  const { order, approving } = step.state
  if (kind === 'approval') {
    if (order?.order_id !== order_id || !approving?.asked) return step
    set(step, { approving: { ...approving, sending: false } })
    return sendAnswer(step, { photo_id })
  }
  return order?.order_id === order_id && order.session?.parcel_no === parcel_no
    ? set(step, { order: { ...order, photo: { ...order.photo, taken } } })
    : step
}

/** What waited for the photo, without one: the server notes why. */
export function withoutPhoto(step: Step): Waits | null {
  const { waits, problem } = step.state.photographing ?? {}
  if (!waits || !problem) return null
  set(step, { photographing: null })
  return waits.kind === 'next' ? { ...waits, without_photo: problem } : { ...waits, how: { ...waits.how, without_photo: problem } }
}

export function photoChoices({ photographing }: PackingState): StationChoice[] {
  if (!photographing || photographing.problem === null) return []
  return [
    { key: 'again', text: 'Try again', event: { type: 'take_photo' } },
    ...(photographing.waits === null
      ? []
      : [
          {
            key: 'without',
            text: 'Go on without a photo',
            detail: 'It is noted with your name',
            event: { type: 'go_without_photo' },
          } satisfies StationChoice,
          { key: 'exception', text: 'Move to exceptions', event: { type: 'ask', dialog: 'exception' } } satisfies StationChoice,
        ]),
  ]
}
