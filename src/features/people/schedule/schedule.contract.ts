/** Shifts, leave and availability: planned by leads, seen and asked for by staff. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { scheduleSchemas } from './schedule.schemas.ts'

const planning = { access: access.scheduleAdmin, internal: true } as const

export const schedule = contract<typeof scheduleSchemas>({ name: 'schedule', area: 'people', access: access.schedule }).calls({
  create: call('POST schedule'),
  update: call('PUT schedule/{id}'),
  remove: call('DELETE schedule/{id}'),
  list: call('GET schedule/{user_id}/from/{start}/to/{end}'),
  future: call('GET schedule/future'),
  waiting: call('GET schedule/needs_to_be_approved', { access: access.scheduleAdmin }),

  reject: call('POST schedule/{id}/reject', planning),
  board: call('GET schedule/board/from/{start}/to/{end}', planning),
  change: call('POST schedule/batch', planning),
  copyWeek: call('POST schedule/copy_week', planning),
  publish: call('POST schedule/publish', planning),
  undo: call('POST schedule/undo/{change_id}', planning),
  redo: call('POST schedule/redo/{change_id}', planning),

  settings: call('GET schedule/settings', planning),
  setSettings: call('PUT schedule/settings', planning),
  workingTimeRules: call('GET schedule/working_time_rules', planning),
  setWorkingTimeRule: call('PUT schedule/working_time_rules', planning),
  removeWorkingTimeRule: call('DELETE schedule/working_time_rules/{id}', planning),
  templates: call('GET schedule/templates', planning),
  addTemplate: call('POST schedule/templates', planning),
  removeTemplate: call('DELETE schedule/templates/{id}', planning),
  saveWeek: call('POST schedule/week_templates', planning),
  applyWeek: call('POST schedule/week_templates/{id}/apply', planning),
  removeWeek: call('DELETE schedule/week_templates/{id}', planning),
  addBlock: call('POST schedule/block_dates', planning),
  removeBlock: call('DELETE schedule/block_dates/{id}', planning),

  offer: call('POST schedule/offers', { internal: true }),
  takeOffer: call('POST schedule/offers/{id}/take', { internal: true }),
  withdrawOffer: call('POST schedule/offers/{id}/withdraw', { internal: true }),
  acceptOffer: call('POST schedule/offers/{id}/accept', planning),
  refuseOffer: call('POST schedule/offers/{id}/refuse', planning),
  colleagues: call('GET schedule/colleagues/{id}', { internal: true }),

  account: call('GET leave/accounts/{user_id}', { internal: true }),
  adjustAccount: call('POST leave/accounts/{user_id}/adjust', planning),
  leaveQuote: call('GET leave/quote', { internal: true }),

  calendarLink: call('GET schedule/calendar_link', { internal: true }),
  makeCalendarLink: call('POST schedule/calendar_link', { internal: true }),
  revokeCalendarLink: call('DELETE schedule/calendar_link', { internal: true }),
  calendar: call('GET schedule/calendar/{token}', {
    access: 'anyone',
    media: 'text/calendar',
    rateLimit: { max: 60, seconds: 3_600 },
    internal: true,
  }),
})
